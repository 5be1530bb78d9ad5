import { Float64, type JsonValue } from '../../meta/index.ts';

/**
 * What server-side apply must know of a value: which kinds it may have, and which containers are one field as a whole
 * (atomic) or a field for each entry. Types may refer to themselves.
 */
export interface MergeType {
  readonly scalar?: ScalarType;
  readonly list?: ListType;
  readonly map?: MapType;
}

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListType {
  readonly element: MergeType;
  /** `associative` merges item by item: by its keys, or as a set where there are none. */
  readonly relationship: 'atomic' | 'associative';
  readonly keys: readonly string[];
}

export interface MapType {
  readonly fields: ReadonlyMap<string, FieldType>;
  /** The type of entries that are not among the fields; undefined where there may be none. */
  readonly element: MergeType | undefined;
  readonly relationship: 'atomic' | 'separable';
}

export interface FieldType {
  readonly type: MergeType;
  /** Completes a list key that an item leaves out; looked at for nothing else. */
  readonly default?: JsonValue;
}

/** The kind as which a value is walked. */
export type Kind = 'map' | 'scalar' | 'list';

/**
 * The kind as which a type walks a value: its own kind where the type allows it; for null, for an absent value and
 * for a kind that the type does not have, the type's first of map, scalar, list.
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

/** The type of the entry under a key; undefined where the map may not have it. */
export function entryType(map: MapType, key: string): MergeType | undefined {
  return map.fields.get(key)?.type ?? map.element;
}

const noFields: ReadonlyMap<string, FieldType> = new Map();

/** Anything, as one field: every container in it is atomic. */
export const untypedAtomicType: MergeType = selfReferring((self) => ({
  scalar: 'untyped',
  list: { element: self, relationship: 'atomic', keys: [] },
  map: { fields: noFields, element: self, relationship: 'atomic' },
}));

/** Anything, as its values look: maps entry by entry, lists atomic. For objects and fields without a schema. */
export const deducedType: MergeType = selfReferring((self) => ({
  scalar: 'untyped',
  list: { element: untypedAtomicType, relationship: 'atomic', keys: [] },
  map: { fields: noFields, element: self, relationship: 'separable' },
}));

function selfReferring(build: (self: MergeType) => MergeType): MergeType {
  const type: { scalar?: ScalarType; list?: ListType; map?: MapType } = {};
  return Object.freeze(Object.assign(type, build(type)));
}
