import { isObject, type JsonObject, type JsonValue, own, ownObject, ownString } from '../meta/index.ts';
import {
  deducedType,
  type FieldType,
  type ListType,
  type MapType,
  type MergeType,
  untypedAtomicType,
} from './merge-type.ts';
import { objectFields } from './object-type.ts';

/** A schema of which no merge type can be made. Structural schemas that pass validation never throw it. */
export class MergeTypeError extends Error {
  override readonly name = 'MergeTypeError';
}

/**
 * The merge type of a custom resource from its `openAPIV3Schema`, with `apiVersion`, `kind` and `metadata` of every
 * object at the root and in embedded resources. Without a schema: an object of which nothing is known.
 *
 * Read are type, properties and their defaults, items, additionalProperties and `x-kubernetes-list-type`,
 * `-list-map-keys`, `-map-type`, `-preserve-unknown-fields`, `-embedded-resource`, `-int-or-string`;
 * `allOf` and its like, `nullable` and validations say nothing about ownership.
 * Source: kube-openapi pkg/schemaconv/openapi.go.
 *
 * @throws {MergeTypeError} for list-type map without keys and for types and relationships that do not exist.
 */
export function typeFromStructuralSchema(openAPIV3Schema: JsonObject | undefined): MergeType {
  const schema: JsonObject = openAPIV3Schema ?? { type: 'object' };
  const type = typeOf(schema, false);
  return type.map === undefined ? type : { ...type, map: withObjectFields(type.map) };
}

/** The merge type of any value from its structural schema: as {@link typeFromStructuralSchema} without object fields. */
export function valueTypeFromStructuralSchema(schema: JsonObject): MergeType {
  return typeOf(schema, false);
}

function withObjectFields(map: MapType): MapType {
  return { ...map, fields: new Map([...map.fields, ...objectFields]) };
}

function typeOf(schema: JsonObject, preserving: boolean): MergeType {
  // Unlike in pruning, preserving unknown fields holds for everything below, too.
  const preserve = preserving || own(schema, 'x-kubernetes-preserve-unknown-fields') === true;
  const name = ownString(schema, 'type') ?? '';
  switch (name) {
    case '':
      return { scalar: 'untyped', list: listType(schema, preserve), map: mapType(schema, preserve) };
    case 'object':
      return { map: mapType(schema, preserve) };
    case 'array':
      return { list: listType(schema, preserve) };
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

/** A string with a format may hold what its Go type accepts besides strings, such as a number of seconds. */
function isPlainString(format: string): boolean {
  return format === '' || format === 'byte';
}

function mapType(schema: JsonObject, preserve: boolean): MapType {
  const properties = ownObject(schema, 'properties') ?? {};
  const fields = new Map<string, FieldType>();
  for (const name of Object.keys(properties)) {
    const property = properties[name];
    if (isObject(property)) fields.set(name, fieldType(property, preserve));
  }
  const map: MapType = {
    fields,
    element: elementType(own(schema, 'additionalProperties'), fields.size === 0, preserve),
    relationship: mapRelationship(own(schema, 'x-kubernetes-map-type')),
  };
  return own(schema, 'x-kubernetes-embedded-resource') === true ? withObjectFields(map) : map;
}

function fieldType(schema: JsonObject, preserve: boolean): FieldType {
  const type = typeOf(schema, preserve);
  const value = own(schema, 'default');
  return value === undefined || value === null ? { type } : { type, default: value };
}

function elementType(
  additional: JsonValue | undefined,
  noFields: boolean,
  preserve: boolean,
): MergeType | undefined {
  if (isObject(additional)) return typeOf(additional, preserve);
  if (additional === true) return deducedType;
  if (additional === false) return undefined;
  return preserve || noFields ? deducedType : undefined;
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

function listType(schema: JsonObject, preserve: boolean): ListType {
  const items = own(schema, 'items');
  if (!isObject(items)) {
    if (ownString(schema, 'type') === 'array')
      throw new MergeTypeError('`items` must be specified on arrays');
    return { element: untypedAtomicType, ...listRelationship(schema) };
  }
  return { element: typeOf(items, preserve), ...listRelationship(schema) };
}

function listRelationship(schema: JsonObject): Pick<ListType, 'relationship' | 'keys'> {
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
