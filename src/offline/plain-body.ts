import { isObject, type JsonValue, limits } from '../meta/index.ts';

/** Objects that nest deeper are rare, and the server has its own message for too deep ones. */
const plainDepthMax = 100;
/** `\u001f`: the longest encoding of a UTF-16 unit in JSON. */
const charBytesMax = 6;
/** Quotes and a colon or comma; the maximum length of a number. */
const tokenBytesMax = 30;

/**
 * True for an object that JSON encoding does not change and that is small enough for a body. If false, the object may
 * still be acceptable, and the server must be asked.
 */
export function isPlainBody(object: JsonValue): boolean {
  return bytesLeft(object, limits.requestBodyBytesMax, plainDepthMax) > 0;
}

/**
 * A lower bound of the bytes left after a value is encoded; 0 or less if there are none left, or if the value is not
 * plain.
 */
function bytesLeft(value: JsonValue, bytes: number, depth: number): number {
  if (bytes <= 0 || depth === 0) return 0;
  if (typeof value === 'string') return afterText(value, bytes);
  if (typeof value === 'number') return isPlainNumber(value) ? bytes - tokenBytesMax : 0;
  if (typeof value === 'bigint') return 0;
  let left = bytes - tokenBytesMax;
  if (Array.isArray(value)) {
    for (const item of value) left = bytesLeft(item, left, depth - 1);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) left = bytesLeft(item, afterText(key, left), depth - 1);
  }
  return left;
}

/** Unpaired surrogates have no UTF-8 encoding. */
const surrogates = /[\ud800-\udfff]/;

function afterText(text: string, bytes: number): number {
  return surrogates.test(text) ? 0 : bytes - charBytesMax * text.length - tokenBytesMax;
}

function isPlainNumber(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER && !Object.is(value, -0);
}
