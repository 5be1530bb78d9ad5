import { addAmounts, type Amount, CelError, compareAmounts, parseQuantity } from '../../cel/index.ts';
import { type JsonObject, own } from '../../meta/index.ts';

const zero: Amount = { value: 0n, scale: 0, exact: true };
const suffixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** The amount under a name; nothing where it is missing, or no quantity. */
export function amountIn(amounts: JsonObject, name: string): Amount {
  const amount = parseQuantity(String(own(amounts, name) ?? '0'));
  return amount instanceof CelError ? zero : amount;
}

export function plus(amount: Amount, units: number): Amount {
  return addAmounts(amount, { value: BigInt(units), scale: 0, exact: true });
}

export function isAbove(amount: Amount, limit: Amount): boolean {
  return compareAmounts(amount, limit) > 0;
}

/** Whole units as Go writes them: 1500, 2k. What is used is counted in whole units. */
export function quantityText(amount: Amount): string {
  let value = amount.value * 10n ** BigInt(Math.max(amount.scale, 0));
  let step = 0;
  for (; value !== 0n && value % 1000n === 0n && step < suffixes.length - 1; step += 1) value /= 1000n;
  return `${value}${suffixes[step] ?? ''}`;
}
