/**
 * User data as JSON text means it.
 *
 * Objects are plain objects as `JSON.parse` makes them, so every key, `__proto__` and `constructor` included,
 * is an own property. Keys that a user chose must be read with {@link own} and written with {@link put}; a plain
 * `object[key]` would find inherited members or call the `__proto__` setter. Spread and `Object.entries` are safe:
 * both only look at own properties, and spread defines instead of assigning.
 *
 * Integers keep all 64 bits: a `number` where it is safe, a `bigint` where it is not. An integral number that was written
 * as a float is a {@link Float64}, until it is stored.
 */
export type JsonValue = null | boolean | number | bigint | string | Float64 | JsonValue[] | JsonObject;

/**
 * A safe integer that a request wrote as a float: `1.0`, `1e2`. Go keeps it apart from an integer in error texts, in
 * rules and in comparisons; stored JSON has it as an integer.
 */
export class Float64 extends Number {
  /** As it was written. */
  readonly text: string;

  constructor(value: number, text: string) {
    super(value);
    this.text = text;
  }
}

/** The value itself, or the number that a {@link Float64} holds. */
export function withoutFloat64<T>(value: T): Exclude<T, Float64> | number {
  // The other branch has no Float64 left, which the compiler does not see for a type parameter.
  return value instanceof Float64 ? value.valueOf() : (value as Exclude<T, Float64>);
}

/** A JSON object; see {@link JsonValue} for how its keys must be read. */
export type JsonObject = { [key: string]: JsonValue };

/** True for a JSON object: neither null nor an array, nor a number that was written as a float. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float64);
}

/** The value under a key that a user chose, or undefined where the object has no such key of its own. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * An empty object for thousands of keys. V8 keeps one that has lost a key as a hash table, and does not try a new shape for
 * each key that comes.
 */
export function emptyDictionary(): JsonObject {
  const object: JsonObject = { a: null };
  delete object['a'];
  return object;
}

/** Sets a key that a user chose; `__proto__` becomes an ordinary key. */
export function put(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** The object under a key, or undefined where there is none or it is something else. */
export function ownObject(object: JsonObject, key: string): JsonObject | undefined {
  const value = own(object, key);
  return isObject(value) ? value : undefined;
}

/** The list under a key, or undefined where there is none or it is something else. */
export function ownList(object: JsonObject, key: string): JsonValue[] | undefined {
  const value = own(object, key);
  return Array.isArray(value) ? value : undefined;
}

/** The string under a key, or undefined where there is none or it is something else. */
export function ownString(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** A deep copy that shares nothing mutable with its source. */
export function clone<T extends JsonValue>(value: T): T;
export function clone(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || value instanceof Float64) return value;
  if (Array.isArray(value)) return value.map((item) => clone(item));
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) put(copy, key, clone(own(value, key) ?? null));
  return copy;
}

/** Deep equality of JSON values; the order of keys does not matter, 1 and 1n are equal, 1 and 1.0 are not. */
export function equal(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a === 'bigint' || typeof b === 'bigint') return sameInteger(a, b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Float64 || b instanceof Float64) {
    return a instanceof Float64 && b instanceof Float64 && a.valueOf() === b.valueOf();
  }
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equal(own(a, key), own(b, key)));
}

function sameInteger(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  const numeric = (value: JsonValue | undefined) => typeof value === 'bigint' || typeof value === 'number';
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals a number of the same value only loosely
  return numeric(a) && numeric(b) && a == b;
}
