import { isObject, type JsonObject, own, ownObject, put } from '../../meta/index.ts';

/**
 * Maps every schema node that describes values: the root first, then the children of the mapped node. `allOf`, `anyOf`,
 * `oneOf` and `not` only restrict and are kept. The input is not changed, and unchanged nodes are shared.
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
