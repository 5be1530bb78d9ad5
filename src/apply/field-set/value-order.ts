import {
  compareBytes,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  withoutFloat64,
} from '../../meta/index.ts';

/**
 * Orders JSON values as structured-merge-diff does: numbers, strings, booleans, lists, maps, null. Numbers compare by
 * value (2 equals 2.0), strings by their UTF-8 bytes, lists item by item.
 */
export function compareValues(first: JsonValue, second: JsonValue): number {
  const [a, b] = [withoutFloat64(first), withoutFloat64(second)];
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isObject(a) && isObject(b)) return compareMaps(a, b);
  return 0;
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function rankOf(value: JsonValue): number {
  if (isNumber(value)) return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (Array.isArray(value)) return 3;
  return value === null ? 5 : 4;
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (let index = 0; index < a.length && index < b.length; index += 1) {
    const order = compareValues(a[index] ?? null, b[index] ?? null);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Iterates over the union of the keys in order; the side with the smaller key comes first. */
function compareMaps(a: JsonObject, b: JsonObject): number {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort(compareBytes);
  for (const key of keys) {
    const left = own(a, key);
    const right = own(b, key);
    if (left === undefined) return 1;
    if (right === undefined) return -1;
    const order = compareValues(left, right);
    if (order !== 0) return order;
  }
  return 0;
}
