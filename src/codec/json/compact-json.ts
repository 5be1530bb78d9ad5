import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from './json-bytes.ts';

/**
 * Scans compact JSON, the stored text of an object without white space. Nothing is parsed or validated; in malformed
 * text the scan stops at the end of the bytes.
 */

/** The offset after the closing quote of the string that starts at `at`. */
export function skipString(bytes: Uint8Array, at: number): number {
  let index = at + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index + 1;
}

/** The offset after the value that starts at `at`. */
export function skipValue(bytes: Uint8Array, at: number): number {
  let depth = 0;
  let index = at;
  while (index < bytes.length) {
    const byte = bytes[index];
    if (byte === quote) {
      index = skipString(bytes, index);
      if (depth === 0) return index;
      continue;
    }
    if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return index;
      depth -= 1;
      if (depth === 0) return index + 1;
    } else if (byte === comma && depth === 0) return index;
    index += 1;
  }
  return index;
}
