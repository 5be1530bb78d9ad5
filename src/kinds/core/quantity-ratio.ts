import { CelError } from '../../cel/index.ts';
import type { JsonValue } from '../../meta/index.ts';
import { amountOf } from '../typed/canonical-quantity.ts';

/** How many times one quantity is another; thousandths count. */
export function ratioOf(value: JsonValue, unit: JsonValue): number {
  return thousandths(value) / thousandths(unit);
}

function thousandths(value: JsonValue): number {
  const amount = amountOf(value);
  return amount instanceof CelError ? 0 : Math.ceil(Number(amount.value) * 10 ** (amount.scale + 3));
}
