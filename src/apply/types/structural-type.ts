import { isObject, type JsonObject, type JsonValue, own, ownObject, ownString } from '../../meta/index.ts';
import {
  deducedType,
  type FieldType,
  type ListType,
  type MapType,
  type MergeType,
  untypedAtomicType,
} from '../typed/merge-type.ts';
import { objectFields } from './object-type.ts';

/** A schema that has no merge type. Structural schemas that pass validation never throw it. */
export class MergeTypeError extends Error {
  override readonly name = 'MergeTypeError';
}

/**
 * The merge type of a custom resource from its `openAPIV3Schema`, with `apiVersion`, `kind` and `metadata` at the
 * root and in embedded resources. Without a schema: an object of unknown structure.
 *
 * It reads type, properties and their defaults, items, additionalProperties and `x-kubernetes-list-type`,
 * `-list-map-keys`, `-map-type`, `-preserve-unknown-fields`, `-embedded-resource`, `-int-or-string`; `allOf`,
 * `anyOf`, `oneOf`, `not`, `nullable` and validations do not affect ownership.
 * Source: kube-openapi pkg/schemaconv/openapi.go.
 *
 * @throws {MergeTypeError} for list-type map without keys, and for unknown types and relationships.
 */
export function typeFromStructuralSchema(openAPIV3Schema: JsonObject | undefined): MergeType {
  return rootType(openAPIV3Schema ?? { type: 'object' }, byListType);
}

/**
 * The type that strategic merge patch uses: lists merge where `x-kubernetes-patch-strategy` says so, by
 * `x-kubernetes-patch-merge-key`, whatever their list type is. Schemas of built-in kinds have both.
 */
export function patchTypeFromSchema(schema: JsonObject): MergeType {
  return rootType(schema, byPatchStrategy);
}

/**
 * The merge type of any value from its structural schema: like {@link typeFromStructuralSchema}, without object
 * fields.
 */
export function valueTypeFromStructuralSchema(schema: JsonObject): MergeType {
  return typeOf(schema, { preserving: false, lists: byListType });
}

function rootType(schema: JsonObject, lists: ListRule): MergeType {
  const type = typeOf(schema, { preserving: false, lists });
  return type.map === undefined ? type : { ...type, map: withObjectFields(type.map) };
}

/** How lists merge. */
type ListRule = (schema: JsonObject) => Pick<ListType, 'relationship' | 'keys'>;

/** How to read a schema. */
interface Reading {
  /** Whether unknown fields are preserved: unlike in pruning, this applies to everything below too. */
  readonly preserving: boolean;
  readonly lists: ListRule;
}

function withObjectFields(map: MapType): MapType {
  return { ...map, fields: new Map([...map.fields, ...objectFields]) };
}

function typeOf(schema: JsonObject, above: Reading): MergeType {
  const preserves = own(schema, 'x-kubernetes-preserve-unknown-fields') === true;
  const reading = preserves ? { ...above, preserving: true } : above;
  const name = ownString(schema, 'type') ?? '';
  switch (name) {
    case '':
      return { scalar: 'untyped', list: listType(schema, reading), map: mapType(schema, reading) };
    case 'object':
      return { map: mapType(schema, reading) };
    case 'array':
      return { list: listType(schema, reading) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return { scalar: isPlainString(ownString(schema, 'format') ?? '') ? 'string' : 'untyped' };
    default:
      throw new MergeTypeError(`unrecognized type: '${name}'`);
  }
}

/** A string with a format may hold other types that its Go type accepts, such as a number of seconds. */
function isPlainString(format: string): boolean {
  return format === '' || format === 'byte';
}

function mapType(schema: JsonObject, reading: Reading): MapType {
  const properties = ownObject(schema, 'properties') ?? {};
  const fields = new Map<string, FieldType>();
  for (const name of Object.keys(properties)) {
    const property = properties[name];
    if (isObject(property)) fields.set(name, fieldType(property, reading));
  }
  const map: MapType = {
    fields,
    element: elementType(own(schema, 'additionalProperties'), fields.size === 0, reading),
    relationship: mapRelationship(own(schema, 'x-kubernetes-map-type')),
  };
  return own(schema, 'x-kubernetes-embedded-resource') === true ? withObjectFields(map) : map;
}

function fieldType(schema: JsonObject, reading: Reading): FieldType {
  const type = typeOf(schema, reading);
  const value = own(schema, 'default');
  return value === undefined || value === null ? { type } : { type, default: value };
}

function elementType(
  additional: JsonValue | undefined,
  noFields: boolean,
  reading: Reading,
): MergeType | undefined {
  if (isObject(additional)) return typeOf(additional, reading);
  if (additional === true) return deducedType;
  if (additional === false) return undefined;
  return reading.preserving || noFields ? deducedType : undefined;
}

function mapRelationship(mapTypeName: JsonValue | undefined): MapType['relationship'] {
  switch (mapTypeName) {
    case undefined:
    case null:
    case 'granular':
      return 'separable';
    case 'atomic':
      return 'atomic';
    default:
      throw new MergeTypeError(`unknown map type ${String(mapTypeName)}`);
  }
}

function listType(schema: JsonObject, reading: Reading): ListType {
  const items = own(schema, 'items');
  if (!isObject(items)) {
    if (ownString(schema, 'type') === 'array')
      throw new MergeTypeError('`items` must be specified on arrays');
    return { element: untypedAtomicType, ...reading.lists(schema) };
  }
  return { element: typeOf(items, reading), ...reading.lists(schema) };
}

function byListType(schema: JsonObject): ReturnType<ListRule> {
  const name = own(schema, 'x-kubernetes-list-type');
  switch (name) {
    case undefined:
    case null:
    case 'atomic':
      return { relationship: 'atomic', keys: [] };
    case 'set':
      return { relationship: 'associative', keys: [] };
    case 'map': {
      const keys = own(schema, 'x-kubernetes-list-map-keys');
      if (!Array.isArray(keys)) throw new MergeTypeError('missing map keys');
      return { relationship: 'associative', keys: keys.filter((key) => typeof key === 'string') };
    }
    default:
      throw new MergeTypeError(`unknown list type ${String(name)}`);
  }
}

function byPatchStrategy(schema: JsonObject): ReturnType<ListRule> {
  const strategies = ownString(schema, 'x-kubernetes-patch-strategy') ?? '';
  if (!strategies.split(',').includes('merge')) return { relationship: 'atomic', keys: [] };
  const key = ownString(schema, 'x-kubernetes-patch-merge-key');
  return { relationship: 'associative', keys: key === undefined ? [] : [key] };
}
