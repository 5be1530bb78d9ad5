import type { JsonValue } from '../../meta/index.ts';
import { deducedType, type FieldType, type MergeType, untypedAtomicType } from '../typed/merge-type.ts';

/**
 * Merge types as data, for kinds without a structural schema:
 *
 * ```ts
 * const namespaceType = objectType({
 *   spec: { struct: { finalizers: { list: 'string' } } },
 *   status: { struct: { phase: 'string', conditions: { list: condition, by: ['type'] } } },
 * });
 * ```
 *
 * `scalar` is a scalar of any kind (also strings with a format and quantities, as upstream), `any` is deduced from
 * the value, `atomic` is any value as one field. A `list` is atomic unless `by` names the keys of its items;
 * `defaults` are the defaults of keys that an item leaves out.
 */
export type TypeNotation =
  | 'string'
  | 'number'
  | 'boolean'
  | 'scalar'
  | 'any'
  | 'atomic'
  | { readonly struct: Readonly<Record<string, TypeNotation>>; readonly atomic?: boolean }
  | { readonly map: TypeNotation; readonly atomic?: boolean }
  | { readonly set: TypeNotation }
  | {
      readonly list: TypeNotation;
      readonly by?: readonly string[];
      readonly defaults?: Readonly<Record<string, JsonValue>>;
    };

const named: Readonly<Record<'string' | 'number' | 'boolean' | 'scalar' | 'any' | 'atomic', MergeType>> = {
  string: { scalar: 'string' },
  number: { scalar: 'numeric' },
  boolean: { scalar: 'boolean' },
  scalar: { scalar: 'untyped' },
  any: deducedType,
  atomic: untypedAtomicType,
};

/** The merge type of a notation. */
export function typeFromNotation(notation: TypeNotation): MergeType {
  if (typeof notation === 'string') return named[notation];
  if ('set' in notation) {
    return {
      list: { element: typeFromNotation(notation.set), relationship: 'associative', keys: [] },
    };
  }
  if ('list' in notation) return listType(notation.list, notation.by ?? [], notation.defaults ?? {});
  const relationship = notation.atomic === true ? 'atomic' : 'separable';
  if ('map' in notation) {
    return { map: { fields: new Map(), element: typeFromNotation(notation.map), relationship } };
  }
  return { map: { fields: fieldsFrom(notation.struct), element: undefined, relationship } };
}

function fieldsFrom(struct: Readonly<Record<string, TypeNotation>>): Map<string, FieldType> {
  return new Map(Object.entries(struct).map(([name, field]) => [name, { type: typeFromNotation(field) }]));
}

function listType(
  item: TypeNotation,
  keys: readonly string[],
  defaults: Readonly<Record<string, JsonValue>>,
): MergeType {
  const element = withDefaults(typeFromNotation(item), defaults);
  return { list: { element, relationship: keys.length === 0 ? 'atomic' : 'associative', keys } };
}

function withDefaults(type: MergeType, defaults: Readonly<Record<string, JsonValue>>): MergeType {
  if (type.map === undefined || Object.keys(defaults).length === 0) return type;
  const fields = new Map(type.map.fields);
  for (const [name, value] of Object.entries(defaults)) {
    fields.set(name, { type: fields.get(name)?.type ?? named.scalar, default: value });
  }
  return { ...type, map: { ...type.map, fields } };
}
