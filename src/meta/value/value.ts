/**
 * User data with the meaning of JSON.
 *
 * Objects are plain objects as `JSON.parse` makes them, so every key, including `__proto__` and `constructor`, is an
 * own property. Use {@link own} and {@link put} for user-defined keys: a plain `object[key]` would find inherited
 * members or call the `__proto__` setter. Spread and `Object.entries` are safe: both only see own properties, and
 * spread defines instead of assigning.
 *
 * Integers keep all 64 bits: a safe integer is a `number`, others are a `bigint`. An integral number that was written
 * as a float is a {@link Float64} until it is stored.
 */
export type JsonValue = null | boolean | number | bigint | string | Float64 | JsonValue[] | JsonObject;

/**
 * A safe integer that a request wrote as a float: `1.0`, `1e2`. Go distinguishes it from an integer in error
 * messages, rules and comparisons; stored JSON has an integer.
 */
export class Float64 extends Number {
  /** As written. */
  readonly text: string;

  constructor(value: number, text: string) {
    super(value);
    this.text = text;
  }
}

/** The value, or the number of a {@link Float64}. */
export function withoutFloat64<T>(value: T): Exclude<T, Float64> | number {
  // The other branch has no Float64 left, which TypeScript does not see for a type parameter.
  return value instanceof Float64 ? value.valueOf() : (value as Exclude<T, Float64>);
}

/** A JSON object; see {@link JsonValue} for access to its keys. */
export type JsonObject = { [key: string]: JsonValue };

/** True for a JSON object: not null, not an array, not a {@link Float64}. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float64);
}

/** The value of a user-defined key; undefined if the object has no such own key. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * An empty object for thousands of keys. V8 turns an object that lost a key into a hash table, which does not need a
 * new shape for each added key.
 */
export function emptyDictionary(): JsonObject {
  const object: JsonObject = { a: null };
  delete object['a'];
  return object;
}

/** Sets a user-defined key; `__proto__` becomes an ordinary key. */
export function put(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** The object of a key; undefined if there is none or it is not an object. */
export function ownObject(object: JsonObject, key: string): JsonObject | undefined {
  const value = own(object, key);
  return isObject(value) ? value : undefined;
}

/** The list of a key; undefined if there is none or it is not a list. */
export function ownList(object: JsonObject, key: string): JsonValue[] | undefined {
  const value = own(object, key);
  return Array.isArray(value) ? value : undefined;
}

/** The string of a key; undefined if there is none or it is not a string. */
export function ownString(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** A deep copy that shares nothing mutable with the original. */
export function clone<T extends JsonValue>(value: T): T;
export function clone(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || value instanceof Float64) return value;
  if (Array.isArray(value)) return value.map((item) => clone(item));
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) put(copy, key, clone(own(value, key) ?? null));
  return copy;
}

/** Deep equality of JSON values. The order of keys does not matter; 1 and 1n are equal, 1 and 1.0 are not. */
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
