import type { FieldGate, GateNode } from '../../crd/index.ts';
import { isObject, type JsonObject, own, ownObject, put } from '../../meta/index.ts';

/**
 * The schema of a custom resource in which every property that has a gate says so (KEP-2608). Entries of maps, which
 * no property describes, cannot. Nothing is changed in place.
 */
export function withGatedProperties(schema: JsonObject, { below }: GateNode): JsonObject {
  const properties = ownObject(schema, 'properties');
  if (properties === undefined || below.size === 0) return schema;
  const marked: JsonObject = { ...properties };
  for (const [name, node] of below) {
    const property = own(properties, name);
    if (!isObject(property)) continue;
    const inner = withGatedProperties(property, node);
    put(marked, name, node.gate === undefined ? inner : { ...inner, ...gateExtension(node.gate) });
  }
  return { ...schema, properties: marked };
}

function gateExtension({ name, preRelease, enabled, component }: FieldGate): JsonObject {
  const gate = { name, preRelease, enabled, ...(component === '' ? {} : { component }) };
  return { 'x-kubernetes-feature-gate': gate };
}
