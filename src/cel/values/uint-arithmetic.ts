import { CelError } from './cel-error.ts';
import { CelUint, maxUint } from './uint.ts';

export const uintOverflow = new CelError('unsigned integer overflow');

/** Converts a bigint, or returns an overflow error. */
export function checkedUint(value: bigint): CelUint | CelError {
  return value < 0n || value > maxUint ? uintOverflow : new CelUint(value);
}

export function addUints(left: CelUint, right: CelUint): CelUint | CelError {
  return checkedUint(left.value + right.value);
}

export function subtractUints(left: CelUint, right: CelUint): CelUint | CelError {
  return checkedUint(left.value - right.value);
}

export function multiplyUints(left: CelUint, right: CelUint): CelUint | CelError {
  return checkedUint(left.value * right.value);
}

export function divideUints(left: CelUint, right: CelUint): CelUint | CelError {
  return right.value === 0n ? new CelError('division by zero') : new CelUint(left.value / right.value);
}

export function moduloUints(left: CelUint, right: CelUint): CelUint | CelError {
  return right.value === 0n ? new CelError('modulus by zero') : new CelUint(left.value % right.value);
}
