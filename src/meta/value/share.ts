import type { Steps } from '../time/steps.ts';
import { emptyDictionary, isObject, type JsonObject, type JsonValue, own, put, Float64 } from './value.ts';

/**
 * Copies a value, and takes from another value every part that is equal at the same place, so that later comparisons
 * compare references. `{a: [1], b: [2]}` shared with `{a: [1], b: [3]}` has the other's list under `a` and a new one
 * under `b`. Returns the other value itself if nothing differs.
 *
 * Where the result differs from the other value, its objects and lists are new and may be changed by the caller.
 */
export function sharedWith(other: JsonValue | undefined, value: JsonObject): JsonObject;
export function sharedWith(other: JsonValue | undefined, value: JsonValue): JsonValue;
export function sharedWith(other: JsonValue | undefined, value: JsonValue): JsonValue {
  if (value === other || typeof value !== 'object' || value === null) return value;
  if (value instanceof Float64) return value;
  return Array.isArray(value) ? sharedList(other, value) : sharedObject(other, value);
}

function sharedList(other: JsonValue | undefined, list: readonly JsonValue[]): JsonValue {
  if (!Array.isArray(other)) return list.map((item) => sharedWith(undefined, item));
  const copy = list.map((item, index) => sharedWith(other[index], item));
  const alike = other.length === list.length && copy.every((item, index) => Object.is(item, other[index]));
  return alike ? other : copy;
}

/** Wider objects are copied as hash tables. */
const wideFrom = 1_000;

/** So many members of a wide object are copied in one step. */
const membersInStep = 1_024;
/** Objects below are copied in one step: what is so deep in an object has few members. */
const stepsDepthMax = 3;

/** {@link sharedWith} for an object, in steps. */
export function* sharedWithInSteps(
  other: JsonValue | undefined,
  object: JsonObject,
  depth = 0,
): Steps<JsonObject> {
  if (object === other) return object;
  const twin = isObject(other) ? other : {};
  const keys = Object.keys(object);
  let alike = twin === other && Object.keys(twin).length === keys.length;
  const copy: JsonObject = keys.length > wideFrom ? emptyDictionary() : {};
  for (const [index, key] of keys.entries()) {
    if (index % membersInStep === membersInStep - 1) yield;
    const [twinItem, value] = [own(twin, key), own(object, key) ?? null];
    const isDeep = !isObject(value) || depth >= stepsDepthMax;
    const item = isDeep ? sharedWith(twinItem, value) : yield* sharedWithInSteps(twinItem, value, depth + 1);
    if (!Object.is(item, twinItem)) alike = false;
    put(copy, key, item);
  }
  return alike ? twin : copy;
}

function sharedObject(other: JsonValue | undefined, object: JsonObject): JsonObject {
  const twin = isObject(other) ? other : {};
  const keys = Object.keys(object);
  let alike = twin === other && Object.keys(twin).length === keys.length;
  const copy: JsonObject = keys.length > wideFrom ? emptyDictionary() : {};
  for (const key of keys) {
    const twinItem = own(twin, key);
    const item = sharedWith(twinItem, own(object, key) ?? null);
    if (!Object.is(item, twinItem)) alike = false;
    put(copy, key, item);
  }
  return alike ? twin : copy;
}
