import { clone, isObject, type JsonObject, type JsonValue, own, put } from '../../meta/index.ts';

/**
 * JSON merge patch: members replace, `null` removes, objects merge, everything else is taken whole.
 * Neither argument is changed; unchanged parts are shared with the target, the patch's own are copied.
 * Source: RFC 7386.
 */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return clone(patch);
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const value = own(patch, key) ?? null;
    if (value === null) delete result[key];
    else put(result, key, applyMergePatch(own(result, key), value));
  }
  return result;
}
