import { equal, type JsonValue, Float64, withoutFloat64 } from '../../meta/index.ts';
import { isInt64 } from './number-rules.ts';

/**
 * Compares a value with an allowed one after Go's conversion to the type of the latter, as upstream does: 1.5 is
 * accepted where 1 is listed, and the integer 97 where "a" is. Null equals nothing.
 */
function matchesEnumValue(raw: JsonValue, allowed: JsonValue): boolean {
  // A float is no rune.
  if (raw instanceof Float64 && typeof allowed === 'string') return false;
  const value = withoutFloat64(raw);
  if (value === null || allowed === null) return false;
  if (typeof value !== 'number' && typeof value !== 'bigint') return equal(value, allowed);
  if (typeof allowed === 'string') return isInt64(value) && goRune(value) === allowed;
  if (typeof allowed !== 'number' && typeof allowed !== 'bigint') return false;
  const truncated = typeof value === 'number' && isInt64(allowed) ? Math.trunc(value) : value;
  return equal(truncated, allowed);
}

/** True where a value is one of those allowed. */
export function matchesEnum(value: JsonValue, allowed: readonly JsonValue[]): boolean {
  return allowed.some((item) => matchesEnumValue(value, item));
}

/** An integer converted to a string in Go: the character of that code point. */
function goRune(code: number | bigint): string {
  const point = Number(code);
  const valid = point >= 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return String.fromCodePoint(valid ? point : 0xfffd);
}
