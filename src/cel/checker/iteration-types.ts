import * as t from '../types/type.ts';

/**
 * The types of the variables of a comprehension over a range of a type; undefined where that can be none.
 *
 * @param two whether the comprehension has two variables: an index or a key, and a value
 */
export function iterationTypes(type: t.Type, two: boolean): [t.Type, t.Type] | undefined {
  switch (type.kind) {
    case 'list':
      return two ? [t.intType, t.elementType(type)] : [t.elementType(type), t.dynType];
    case 'map':
      return [type.params[0] ?? t.dynType, t.elementType(type)];
    case 'dyn':
    case 'error':
    case 'typeParam':
      return [t.dynType, t.dynType];
    default:
      return undefined;
  }
}
