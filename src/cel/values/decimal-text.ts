/**
 * A double with a fixed number of decimals, rounded half to even from its exact value: Go's `%.nf`. JavaScript's
 * toFixed is limited to 100 decimals and values below 1e21.
 */
export function fixedDecimals(value: number, decimals: number): string {
  const { mantissa, exponent } = exactParts(Math.abs(value));
  const scaled = mantissa * 10n ** BigInt(decimals);
  const digits = String(exponent >= 0 ? scaled << BigInt(exponent) : roundShift(scaled, BigInt(-exponent)));
  const padded = digits.padStart(decimals + 1, '0');
  const text = decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
  return value < 0 || Object.is(value, -0) ? `-${text}` : text;
}

/** The double as an integer times a power of two. */
function exactParts(value: number): { mantissa: bigint; exponent: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const biased = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xf_ffff_ffff_ffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

/** Divides by a power of two, half to even. */
function roundShift(value: bigint, bits: bigint): bigint {
  const quotient = value >> bits;
  const rest = value - (quotient << bits);
  const half = 1n << (bits - 1n);
  return rest > half || (rest === half && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}
