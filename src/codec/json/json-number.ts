import { Float64 } from '../../meta/index.ts';

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;
const int64CharsMax = String(int64Min).length;
const integer = /^-?[0-9]+$/;

/**
 * Converts a JSON number as Go does for an untyped value: an integer if the text is one and fits into 64 bits,
 * otherwise a double; undefined on overflow. `-0` is the integer 0; `-0.0` and `1.0` are floats.
 */
export function parseNumber(text: string): number | bigint | Float64 | undefined {
  const value = Number(text);
  if (integer.test(text)) {
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    const exact = text.length <= int64CharsMax ? BigInt(text) : undefined;
    if (exact !== undefined && exact >= int64Min && exact <= int64Max) return exact;
  }
  if (Number.isSafeInteger(value) && !Object.is(value, -0) && !integer.test(text))
    return new Float64(value, text);
  return Number.isFinite(value) ? value : undefined;
}
