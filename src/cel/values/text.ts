/** CEL measures and compares strings by code point, JavaScript by UTF-16 unit. They differ only for surrogates. */

const surrogate = /[\ud800-\udfff]/;

/** Up to this length, a loop is faster than a pattern, which the engine answers immediately for Latin-1. */
const shortText = 8;

function hasSurrogates(text: string): boolean {
  if (text.length > shortText) return surrogate.test(text);
  for (let index = 0; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xf800) === 0xd800) return true;
  }
  return false;
}

/** The number of code points. */
export function codePointLength(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The code points of a string; undefined if plain indexes are already code points. */
export function codePoints(text: string): string[] | undefined {
  return hasSurrogates(text) ? Array.from(text) : undefined;
}

/** Order by code point, which is Go's order of UTF-8 bytes. */
export function compareStrings(left: string, right: string): -1 | 0 | 1 {
  if (left === right) return 0;
  if (!hasSurrogates(left) && !hasSurrogates(right)) return left < right ? -1 : 1;
  const others = right[Symbol.iterator]();
  for (const point of left) {
    const other = others.next();
    if (other.done) return 1;
    if (point !== other.value)
      return (point.codePointAt(0) ?? 0) < (other.value.codePointAt(0) ?? 0) ? -1 : 1;
  }
  return -1;
}

/** The number of bytes in UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
