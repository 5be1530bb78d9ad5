import { isObject, type JsonValue, limits } from '../../meta/index.ts';

/** Objects that nest deeper are rare, and the server has its own words for those that nest too deep. */
const plainDepthMax = 100;
/** `\u001f`, the longest that a unit of UTF-16 gets in JSON. */
const charBytesMax = 6;
/** Quotes and a colon or a comma; a number in full. */
const tokenBytesMax = 30;

/**
 * True for an object that a server reads from a body as it is at hand: small enough, and with nothing in it that JSON
 * says otherwise. What is false may be read all the same, and only the server can tell.
 */
export function isPlainBody(object: JsonValue): boolean {
  return bytesLeft(object, limits.requestBodyBytesMax, plainDepthMax) > 0;
}

/** How many of so many bytes a value surely leaves; 0 or less where that is none, or the value is not plain. */
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

/** Halves of surrogate pairs have no UTF-8. */
const surrogates = /[\ud800-\udfff]/;

function afterText(text: string, bytes: number): number {
  return surrogates.test(text) ? 0 : bytes - charBytesMax * text.length - tokenBytesMax;
}

function isPlainNumber(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER && !Object.is(value, -0);
}
