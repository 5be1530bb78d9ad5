import {
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
  ownObject,
  ownString,
} from '../meta/index.ts';

/** Fields of a schema that contain one schema, or a list of them. */
const schemaFields = new Set([
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'additionalProperties',
  'additionalItems',
]);
/** Fields of a schema that contain schemas by name. */
const schemaMaps = new Set(['properties', 'patternProperties', 'definitions']);

/**
 * Renames the fields of a CRD to their names in the API. `@kubernetes/client-node` renames schema fields for
 * TypeScript: `_default`, `_enum`, `x_kubernetes_validations`. Other objects do not change.
 */
export function withWireNames(crd: KubeObject): KubeObject {
  if (ownString(crd, 'kind') !== 'CustomResourceDefinition') return crd;
  const spec = ownObject(crd, 'spec');
  const versions = spec === undefined ? undefined : own(spec, 'versions');
  if (spec === undefined || !Array.isArray(versions)) return crd;
  return { ...crd, spec: { ...spec, versions: versions.map(versionWithWireNames) } };
}

function versionWithWireNames(version: JsonValue): JsonValue {
  const schema = isObject(version) ? ownObject(version, 'schema') : undefined;
  const root = schema === undefined ? undefined : ownObject(schema, 'openAPIV3Schema');
  if (!isObject(version) || root === undefined) return version;
  return { ...version, schema: { ...schema, openAPIV3Schema: schemaWithWireNames(root) } };
}

function schemaWithWireNames(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [wireName(name), inside(name, value)]),
  );
}

function inside(name: string, value: JsonValue): JsonValue {
  if (schemaMaps.has(name) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamed(one)]));
  }
  if (!schemaFields.has(name)) return value;
  return Array.isArray(value) ? value.map(renamed) : renamed(value);
}

const renamed = (value: JsonValue): JsonValue => (isObject(value) ? schemaWithWireNames(value) : value);

function wireName(name: string): string {
  if (name === '_default' || name === '_enum') return name.slice(1);
  return name.startsWith('x_kubernetes_') ? name.replaceAll('_', '-') : name;
}
