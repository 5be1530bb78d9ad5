import { limits } from '../../meta/index.ts';

/** The result of one scan over the bytes of a JSON text. */
interface JsonScan {
  /** The number of object keys in the text, if it is well formed. */
  readonly keys: number;
  /** True if `JSON.parse` would read the text differently from Go, or if it nests too deep. */
  readonly needsOwnParser: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
/** `JSON.parse` reads integers of up to 15 digits exactly; a sign may precede them. */
const safeIntegerCharsMax = 15;
/** A float with this many digits and no exponent cannot overflow. */
const safeFloatCharsMax = 200;

/**
 * Counts keys and searches for text that `JSON.parse` reads differently: integers beyond 2^53, `-0`, `1.0`,
 * exponents, escaped surrogates (unpaired, they are U+FFFD in Go), and nesting that would overflow the stack.
 *
 * The text need not be well formed; the result is meaningful only if it is.
 */
export function scanJson(bytes: Uint8Array): JsonScan {
  let keys = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      at = stringEnd(bytes, at + 1);
      if (at < 0) return { keys, needsOwnParser: true };
    } else if (byte <= 0x20 || byte === 0x2c) {
      // Most other bytes are white space and commas: skip the other comparisons.
    } else if (byte === 0x3a) {
      keys += 1;
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > limits.nestingDepthMax) return { keys, needsOwnParser: true };
    } else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
    } else if (byte <= 0x39) {
      const end = numberEnd(bytes, at);
      if (!isPlainNumber(bytes, at, end)) return { keys, needsOwnParser: true };
      at = end - 1;
    }
  }
  return { keys, needsOwnParser: false };
}

/** The position of the closing quote; -1 if the string is not terminated or escapes a surrogate. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) {
      at += 1;
      // \ud800 to \udfff
      if (bytes[at] === 0x75 && ((bytes[at + 1] ?? 0) | 0x20) === 0x64) return -1;
    }
  }
  return -1;
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && isNumberByte(bytes[at] ?? 0)) at += 1;
  return Math.max(at, start + 1);
}

function isNumberByte(byte: number): boolean {
  return (byte >= 0x2b && byte <= 0x39 && byte !== 0x2c && byte !== 0x2f) || byte === 0x65 || byte === 0x45;
}

/** Integers of up to 15 digits, and fractions; not integral floats. */
function isPlainNumber(bytes: Uint8Array, start: number, end: number): boolean {
  const chars = end - start;
  if (chars === 1) return true;
  if (bytes[start] === 0x2d && bytes[start + 1] === 0x30 && chars === 2) return false;
  let [hasPoint, hasFraction] = [false, false];
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x2e) hasPoint = true;
    else if ((byte | 0x20) === 0x65) return false;
    else if (hasPoint && byte !== 0x30) hasFraction = true;
  }
  if (hasPoint) return hasFraction && chars <= safeFloatCharsMax;
  return chars <= safeIntegerCharsMax;
}
