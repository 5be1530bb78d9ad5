import { isObject, type JsonObject, own, ownObject, put } from '../../meta/index.ts';

/**
 * A schema in which every node that describes values has been changed: the root first, then what stands below the
 * node that came out. What is under `allOf`, `anyOf`, `oneOf` and `not` only restricts, and stays as it is. Nothing
 * is changed in place, and what stays the same is shared.
 */
export function mapSchema(schema: JsonObject, change: (node: JsonObject) => JsonObject): JsonObject {
  const node = change(schema);
  const below: JsonObject = {};
  for (const key of ['items', 'additionalProperties']) {
    const child = own(node, key);
    if (isObject(child)) below[key] = mapSchema(child, change);
  }
  const properties = ownObject(node, 'properties');
  if (properties !== undefined) {
    const mapped: JsonObject = {};
    for (const [name, child] of Object.entries(properties)) {
      put(mapped, name, isObject(child) ? mapSchema(child, change) : child);
    }
    below['properties'] = mapped;
  }
  return { ...node, ...below };
}
