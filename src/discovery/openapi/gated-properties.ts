import type { FieldGate, GateNode } from '../../crd/index.ts';
import { isObject, type JsonObject, own, ownObject, put } from '../../meta/index.ts';

/**
 * The schema of a custom resource, with an extension on every property that has a feature gate (KEP-2608), also in list
 * items and map values. A single map entry has no property to annotate. The input is not changed.
 */
export function withGatedProperties(schema: JsonObject, { below, each }: GateNode): JsonObject {
  const entries = each === undefined ? schema : withGatedEntries(schema, each.node);
  const properties = ownObject(schema, 'properties');
  if (properties === undefined || below.size === 0) return entries;
  const marked: JsonObject = { ...properties };
  for (const [name, node] of below) {
    const property = own(properties, name);
    if (!isObject(property)) continue;
    const inner = withGatedProperties(property, node);
    put(marked, name, node.gate === undefined ? inner : { ...inner, ...gateExtension(node.gate) });
  }
  return { ...entries, properties: marked };
}

/** Annotates the schema of list items or map values. */
function withGatedEntries(schema: JsonObject, node: GateNode): JsonObject {
  const field = ownObject(schema, 'items') === undefined ? 'additionalProperties' : 'items';
  const entry = ownObject(schema, field);
  return entry === undefined ? schema : { ...schema, [field]: withGatedProperties(entry, node) };
}

function gateExtension({ name, preRelease, enabled, component }: FieldGate): JsonObject {
  const gate = { name, preRelease, enabled, ...(component === '' ? {} : { component }) };
  return { 'x-kubernetes-feature-gate': gate };
}
