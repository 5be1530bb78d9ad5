import * as t from '../types/type.ts';

/**
 * The types of a comprehension's variables for a range type; undefined if the type is no range.
 *
 * @param two whether there are two variables: index or key, and value
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
