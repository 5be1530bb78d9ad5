import { CelError } from './cel-error.ts';
import type { CelInt } from './value.ts';

export const minInt = -0x8000_0000_0000_0000n;
export const maxInt = 0x7fff_ffff_ffff_ffffn;

/** cel-go's error for an int64 overflow. */
export const intOverflow = new CelError('integer overflow');

/** Converts a bigint within int64 range: to a number if that is safe. */
export function intOf(value: bigint): CelInt {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

/** Converts a bigint, or returns an overflow error. */
export function checkedInt(value: bigint): CelInt | CelError {
  return value < minInt || value > maxInt ? intOverflow : intOf(value);
}

export function isInt(value: unknown): value is CelInt {
  return typeof value === 'number' || typeof value === 'bigint';
}

export function addInts(left: CelInt, right: CelInt): CelInt | CelError {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return checkedInt(BigInt(left) + BigInt(right));
}

export function subtractInts(left: CelInt, right: CelInt): CelInt | CelError {
  if (typeof left === 'number' && typeof right === 'number') {
    const difference = left - right;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return checkedInt(BigInt(left) - BigInt(right));
}

export function multiplyInts(left: CelInt, right: CelInt): CelInt | CelError {
  if (typeof left === 'number' && typeof right === 'number') {
    const product = left * right;
    // Adding zero turns -0, which is not an int, into 0.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return checkedInt(BigInt(left) * BigInt(right));
}

/** Truncates towards zero, as Go does. */
export function divideInts(left: CelInt, right: CelInt): CelInt | CelError {
  if (right === 0) return new CelError('division by zero');
  if (typeof left === 'number' && typeof right === 'number') return Math.trunc(left / right) + 0;
  return checkedInt(BigInt(left) / BigInt(right));
}

/** The remainder has the sign of the dividend, as in Go. */
export function moduloInts(left: CelInt, right: CelInt): CelInt | CelError {
  if (right === 0) return new CelError('modulus by zero');
  if (typeof left === 'number' && typeof right === 'number') return (left % right) + 0;
  if (BigInt(left) === minInt && right === -1) return intOverflow;
  return checkedInt(BigInt(left) % BigInt(right));
}

export function negateInt(value: CelInt): CelInt | CelError {
  return typeof value === 'number' ? 0 - value : checkedInt(-value);
}
