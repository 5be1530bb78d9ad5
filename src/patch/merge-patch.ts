import {
  atOnce,
  copyInSteps,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  put,
  Float64,
  type Steps,
} from '../meta/index.ts';

/**
 * Applies a JSON merge patch: members replace, `null` removes, objects merge, other values are replaced as a whole.
 * Neither argument changes; unchanged parts are shared with the target, those of the patch are copied.
 *
 * Nulls of the patch are dropped at any depth, also inside list items: `[{"a":1,"b":null}]` becomes `[{"a":1}]`. RFC
 * 7386 keeps them in lists. They stay only in a list that replaces an object, and as list items themselves.
 *
 * Source: RFC 7386, and the merge of gopkg.in/evanphx/json-patch.v4 where it differs.
 */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  return atOnce(applyMergePatchInSteps(target, patch));
}

/** So many members of a patch are applied in one step. */
const membersInStep = 1_024;

/** {@link applyMergePatch}, in steps. */
export function* applyMergePatchInSteps(target: JsonValue | undefined, patch: JsonValue): Steps<JsonValue> {
  if (!isObject(target)) return copyOf(patch, { dropNulls: true });
  if (!isObject(patch)) return copyOf(patch, { dropNulls: false });
  const result = yield* copyInSteps(target);
  for (const [index, key] of Object.keys(patch).entries()) {
    if (index % membersInStep === membersInStep - 1) yield;
    const value = own(patch, key) ?? null;
    if (value === null) delete result[key];
    else if (typeof value !== 'object') put(result, key, value);
    else put(result, key, yield* applyMergePatchInSteps(own(result, key), value));
  }
  return result;
}

function copyOf(value: JsonValue, { dropNulls }: { readonly dropNulls: boolean }): JsonValue {
  if (typeof value !== 'object' || value === null || value instanceof Float64) return value;
  if (Array.isArray(value)) return value.map((item) => copyOf(item, { dropNulls }));
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = own(value, key) ?? null;
    if (item !== null || !dropNulls) put(copy, key, copyOf(item, { dropNulls }));
  }
  return copy;
}
