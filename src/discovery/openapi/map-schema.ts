import { isObject, type JsonObject, own, ownObject, put } from '../../meta/index.ts';

/**
 * Maps every schema node that describes values: the root first, then the children of the mapped node. `allOf`, `anyOf`,
 * `oneOf` and `not` only restrict and are kept. The input is not changed, and unchanged nodes are shared: a node whose
 * children stay is returned itself.
 */
export function mapSchema(schema: JsonObject, change: (node: JsonObject) => JsonObject): JsonObject {
  const node = change(schema);
  const below: JsonObject = {};
  for (const key of ['items', 'additionalProperties']) {
    const child = own(node, key);
    if (!isObject(child)) continue;
    const mapped = mapSchema(child, change);
    if (mapped !== child) below[key] = mapped;
  }
  const properties = ownObject(node, 'properties');
  const mapped = properties && mapProperties(properties, change);
  if (mapped !== undefined && mapped !== properties) below['properties'] = mapped;
  return Object.keys(below).length === 0 ? node : { ...node, ...below };
}

function mapProperties(properties: JsonObject, change: (node: JsonObject) => JsonObject): JsonObject {
  const mapped: JsonObject = {};
  let changed = false;
  for (const [name, child] of Object.entries(properties)) {
    const now = isObject(child) ? mapSchema(child, change) : child;
    if (now !== child) changed = true;
    put(mapped, name, now);
  }
  return changed ? mapped : properties;
}
