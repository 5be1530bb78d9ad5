import { CelError } from '../../values/cel-error.ts';
import { maxInt, minInt } from '../../values/int.ts';

/**
 * The number of a quantity: `value * 10^scale`. Upstream stores it in an int64 if possible (`exact`), and only such a
 * number can be an integer; everything else is a decimal of any size.
 */
export interface Amount {
  readonly value: bigint;
  readonly scale: number;
  readonly exact: boolean;
}

const wrongFormat = new CelError(
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
);
const wrongSuffix = new CelError("unable to parse quantity's suffix");

const binaryExponents: Record<string, number> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const decimalExponents: Record<string, number> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
/** Larger exponents are clamped, so that `1e999999999` does not create a huge number. */
const maxExponent = 1000;
/** The number of digits that always fit an int64. */
const exactDigits = 18;
/** Quantities have a resolution of a billionth. */
const nano = -9;

interface Parts {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly base: 2 | 10;
  readonly exponent: number;
}

/** Kubernetes' resource.ParseQuantity. */
export function parseQuantity(text: string): Amount | CelError {
  const parts = split(text);
  if (parts instanceof CelError) return parts;
  return exactAmount(parts) ?? decimalAmount(parts);
}

function split(text: string): Parts | CelError {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text);
  if (match === null || text === '') return wrongFormat;
  const [, sign = '', digits = '', fraction = '', suffix = ''] = match;
  const scale = readSuffix(suffix);
  if (scale === undefined) return wrongSuffix;
  return { negative: sign === '-', whole: digits.replace(/^0+/, '') || '0', fraction, ...scale };
}

function readSuffix(suffix: string): Pick<Parts, 'base' | 'exponent'> | undefined {
  if (Object.hasOwn(binaryExponents, suffix)) return { base: 2, exponent: binaryExponents[suffix] ?? 0 };
  if (Object.hasOwn(decimalExponents, suffix)) return { base: 10, exponent: decimalExponents[suffix] ?? 0 };
  if (!/^[eE][-+]?\d+$/.test(suffix)) return undefined;
  return { base: 10, exponent: Math.max(-maxExponent, Math.min(maxExponent, Number(suffix.slice(1)))) };
}

function exactAmount({ negative, whole, fraction, base, exponent }: Parts): Amount | undefined {
  const isDecimal = base === 10;
  const precision = isDecimal
    ? exactDigits - whole.length - fraction.length
    : fraction === ''
      ? 15 - whole.length - Math.trunc(Math.fround((exponent * 3) / 10)) - 1
      : -1;
  const scale = (isDecimal ? exponent : 0) - fraction.length;
  if (precision < 0 || scale < nano) return undefined;
  const value = BigInt(whole + fraction) * (isDecimal ? 1n : 1n << BigInt(exponent));
  return value > maxInt ? undefined : { value: negative ? -value : value, scale, exact: true };
}

/** Rounded away from zero to billionths; binary quantities saturate at the largest int64. */
function decimalAmount({ negative, whole, fraction, base, exponent }: Parts): Amount {
  const digits = BigInt(whole + fraction) * (base === 2 ? 1n << BigInt(exponent) : 1n);
  const amount = roundUp({
    value: digits,
    scale: (base === 10 ? exponent : 0) - fraction.length,
    exact: false,
  });
  const isCapped = base === 2 && compareAmounts(amount, { value: maxInt, scale: 0, exact: false }) > 0;
  const { value, scale } = isCapped ? { value: maxInt, scale: 0 } : amount;
  return { value: negative ? -value : value, scale, exact: false };
}

function roundUp(amount: Amount): Amount {
  if (amount.scale >= nano) return amount;
  const divisor = 10n ** BigInt(nano - amount.scale);
  return { ...amount, value: (amount.value + divisor - 1n) / divisor, scale: nano };
}

/** The value at a lower or equal scale. */
function valueAt({ value, scale }: Amount, lower: number): bigint {
  return value * 10n ** BigInt(scale - lower);
}

export function compareAmounts(left: Amount, right: Amount): -1 | 0 | 1 {
  const scale = Math.min(left.scale, right.scale);
  const a = valueAt(left, scale);
  const b = valueAt(right, scale);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The sum; exact if both are and it fits. */
export function addAmounts(left: Amount, right: Amount): Amount {
  const bothExact = left.exact && right.exact;
  if (bothExact && right.value === 0n) return left;
  if (bothExact && left.value === 0n) return right;
  const scale = Math.min(left.scale, right.scale);
  const value = valueAt(left, scale) + valueAt(right, scale);
  return { value, scale, exact: bothExact && value >= minInt && value <= maxInt };
}

export function negateAmount(amount: Amount): Amount {
  return { ...amount, value: -amount.value };
}

/** The amount as an int64, if it is stored as one and not a fraction. */
export function integerAmount(amount: Amount): bigint | undefined {
  if (!amount.exact || amount.scale < 0) return undefined;
  const value = valueAt(amount, 0);
  return value >= minInt && value <= maxInt ? value : undefined;
}

/** The nearest double of the digits times a power of ten, computed as upstream. */
export function approximateAmount({ value, scale }: Amount): number {
  return scale === 0 ? Number(value) : Number(value) * Number(`1e${scale}`);
}
