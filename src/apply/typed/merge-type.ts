import { Float64, type JsonValue } from '../../meta/index.ts';

/**
 * What server-side apply needs to know about a value: the kinds it may have, and whether a container is one field as
 * a whole (atomic) or one field per entry (granular). Types may be recursive.
 */
export interface MergeType {
  readonly scalar?: ScalarType;
  readonly list?: ListType;
  readonly map?: MapType;
}

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListType {
  readonly element: MergeType;
  /** `associative` merges item by item: by the keys, or as a set if there are none. */
  readonly relationship: 'atomic' | 'associative';
  readonly keys: readonly string[];
}

export interface MapType {
  readonly fields: ReadonlyMap<string, FieldType>;
  /** The type of entries that are not declared fields; undefined if these are not allowed. */
  readonly element: MergeType | undefined;
  readonly relationship: 'atomic' | 'separable';
}

export interface FieldType {
  readonly type: MergeType;
  /** The default for a list key that an item leaves out; used for nothing else. */
  readonly default?: JsonValue;
}

/** The kind as which a value is traversed. */
export type Kind = 'map' | 'scalar' | 'list';

/**
 * The kind as which a type traverses a value: the value's own kind if the type allows it; otherwise, and for null and
 * absent values, the type's first of map, scalar, list.
 */
export function kindOf(type: MergeType, value: JsonValue | undefined): Kind {
  if (value !== null && value !== undefined) {
    if (typeof value !== 'object' || value instanceof Float64) {
      if (type.scalar !== undefined) return 'scalar';
    } else if (Array.isArray(value)) {
      if (type.list !== undefined) return 'list';
    } else if (type.map !== undefined) {
      return 'map';
    }
  }
  if (type.map !== undefined) return 'map';
  return type.scalar !== undefined ? 'scalar' : 'list';
}

/** The type of a map entry; undefined if the map does not allow it. */
export function entryType(map: MapType, key: string): MergeType | undefined {
  return map.fields.get(key)?.type ?? map.element;
}

const noFields: ReadonlyMap<string, FieldType> = new Map();

/** Any value, as one field: every container in it is atomic. */
export const untypedAtomicType: MergeType = selfReferring((self) => ({
  scalar: 'untyped',
  list: { element: self, relationship: 'atomic', keys: [] },
  map: { fields: noFields, element: self, relationship: 'atomic' },
}));

/** Any value, by its shape: maps are granular, lists atomic. For objects and fields without a schema. */
export const deducedType: MergeType = selfReferring((self) => ({
  scalar: 'untyped',
  list: { element: untypedAtomicType, relationship: 'atomic', keys: [] },
  map: { fields: noFields, element: self, relationship: 'separable' },
}));

function selfReferring(build: (self: MergeType) => MergeType): MergeType {
  const type: { scalar?: ScalarType; list?: ListType; map?: MapType } = {};
  return Object.freeze(Object.assign(type, build(type)));
}
