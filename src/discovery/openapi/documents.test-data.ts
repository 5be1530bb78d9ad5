import { compileResourceType, type ResourceType } from '../../crd/index.ts';
import { defaultFeatureGates, isObject, type JsonObject, type JsonValue } from '../../meta/index.ts';
import { SchemaCache } from '../../schema/index.ts';

const gates = defaultFeatureGates();
const schemas = new SchemaCache({ gates });

/** The resource of a CRD with this spec. */
export function typeOf(spec: JsonObject): ResourceType {
  const metadata = { name: 'any', uid: '6f0a6b0e' };
  const names = isObject(spec['names']) ? spec['names'] : {};
  return compileResourceType({ metadata, spec, status: { acceptedNames: names } }, { gates, schemas });
}

/** `widgets.example.com`, with one version. */
export function widgetType(openAPIV3Schema: JsonObject, more: JsonObject = {}): ResourceType {
  return typeOf({
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...more }],
  });
}

/** The value at a path of keys. */
export function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((node, step) => (isObject(node) ? node[step] : undefined), value);
}

/** Every `$ref` in a document, except user data: property names and examples. */
function referencesIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  const target = value['$ref'];
  const below = Object.entries(value).filter(([key]) => !['default', 'example', 'enum'].includes(key));
  return [
    ...(typeof target === 'string' ? [target] : []),
    ...below.flatMap(([, child]) => referencesIn(child)),
  ];
}

/** References without a target. */
export function danglingReferences(document: JsonObject): string[] {
  const targets = new Set(referencesIn(document));
  return [...targets].filter((target) => at(document, ...target.slice('#/'.length).split('/')) === undefined);
}

/** Every operation of a document, by method and path. */
export function operationsIn(document: JsonObject): [name: string, operation: JsonObject][] {
  const items = Object.entries(isObject(document['paths']) ? document['paths'] : {});
  return items.flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]): [string, JsonObject][] =>
      isObject(operation) ? [[`${method} ${path}`, operation]] : [],
    ),
  );
}

/** The errors in the operations of a document: a missing response, or a duplicate name. */
export function brokenOperations(document: JsonObject): string[] {
  const seen = new Set<JsonValue | undefined>();
  return operationsIn(document).flatMap(([name, operation]) => {
    const isNew = !seen.has(operation['operationId']);
    seen.add(operation['operationId']);
    return isNew && at(operation, 'responses', '200') !== undefined ? [] : [name];
  });
}
