import { equal, type JsonValue, Float64, withoutFloat64 } from '../../meta/index.ts';
import { isInt64 } from './number-rules.ts';

/**
 * Compares a value with an enum value after Go's conversion to the type of the latter, as upstream: 1.5 matches 1, and
 * the integer 97 matches "a". Null matches nothing.
 */
function matchesEnumValue(raw: JsonValue, allowed: JsonValue): boolean {
  // Go does not convert floats to strings.
  if (raw instanceof Float64 && typeof allowed === 'string') return false;
  const value = withoutFloat64(raw);
  if (value === null || allowed === null) return false;
  if (typeof value !== 'number' && typeof value !== 'bigint') return equal(value, allowed);
  if (typeof allowed === 'string') return isInt64(value) && goRune(value) === allowed;
  if (typeof allowed !== 'number' && typeof allowed !== 'bigint') return false;
  const truncated = typeof value === 'number' && isInt64(allowed) ? Math.trunc(value) : value;
  return equal(truncated, allowed);
}

/** True if a value is in the enum. */
export function matchesEnum(value: JsonValue, allowed: readonly JsonValue[]): boolean {
  return allowed.some((item) => matchesEnumValue(value, item));
}

/** Go's conversion of an integer to a string: the character of that code point. */
function goRune(code: number | bigint): string {
  const point = Number(code);
  const valid = point >= 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return String.fromCodePoint(valid ? point : 0xfffd);
}
