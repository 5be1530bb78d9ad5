import {
  addAmounts,
  type Amount,
  CelError,
  compareAmounts,
  negateAmount,
  parseQuantity,
  type QuantityFormat,
  quantityFormat,
  quantityText,
} from '../../cel/index.ts';
import type { JsonValue } from '../../meta/index.ts';

/** An amount of a resource, and how it is written. */
export interface Quantity {
  readonly amount: Amount;
  readonly format: QuantityFormat;
}

export const zeroQuantity: Quantity = wholeQuantity(0);

export function wholeQuantity(units: number): Quantity {
  return Object.freeze({ amount: { value: BigInt(units), scale: 0, exact: true }, format: 'decimal' });
}

/** The quantity of a field; nothing for a value that is none. */
export function quantityOf(value: JsonValue | undefined): Quantity {
  const text = String(value ?? '0').trim();
  const amount = parseQuantity(text);
  return amount instanceof CelError ? zeroQuantity : { amount, format: quantityFormat(text) };
}

/** The sum, written as the first is; as the second where the first is nothing, as Go has it. */
export function plus(left: Quantity, right: Quantity): Quantity {
  const format = left.amount.value === 0n ? right.format : left.format;
  return { amount: addAmounts(left.amount, right.amount), format };
}

export function minus(left: Quantity, right: Quantity): Quantity {
  return plus(left, { ...right, amount: negateAmount(right.amount) });
}

export function compareQuantities(left: Quantity, right: Quantity): number {
  return compareAmounts(left.amount, right.amount);
}

export function isAboveZero({ amount }: Quantity): boolean {
  return amount.value > 0n;
}

/** Fractions become the next whole number. */
export function roundedUp(quantity: Quantity): Quantity {
  if (quantity.amount.scale >= 0) return quantity;
  return { ...quantity, amount: { value: scaledValue(quantity, 0), scale: 0, exact: true } };
}

/** The value in units of a power of ten, rounded away from zero. */
export function scaledValue({ amount: { value, scale } }: Quantity, power: number): bigint {
  if (scale >= power) return value * 10n ** BigInt(scale - power);
  const divisor = 10n ** BigInt(power - scale);
  return (value + (value < 0n ? 1n - divisor : divisor - 1n)) / divisor;
}

export function textOf({ amount, format }: Quantity): string {
  return quantityText(amount, format);
}
