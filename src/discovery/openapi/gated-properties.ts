import type { FieldGate, GateNode } from '../../crd/index.ts';
import { isObject, type JsonObject, own, ownObject, put } from '../../meta/index.ts';

/**
 * The schema of a custom resource in which every property that has a gate says so (KEP-2608), in items of lists and
 * entries of maps too. A single entry of a map, which no property describes, cannot. Nothing is changed in place.
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

/** Marks the schema of the items, or of the entries. */
function withGatedEntries(schema: JsonObject, node: GateNode): JsonObject {
  const field = ownObject(schema, 'items') === undefined ? 'additionalProperties' : 'items';
  const entry = ownObject(schema, field);
  return entry === undefined ? schema : { ...schema, [field]: withGatedProperties(entry, node) };
}

function gateExtension({ name, preRelease, enabled, component }: FieldGate): JsonObject {
  const gate = { name, preRelease, enabled, ...(component === '' ? {} : { component }) };
  return { 'x-kubernetes-feature-gate': gate };
}
