import { type Amount, CelError, parseQuantity, quantityFormat, quantityText } from '../../cel/index.ts';
import type { JsonValue } from '../../meta/index.ts';

/**
 * A quantity as Go writes it: `1024Mi` is `1Gi`, `0.5` is `500m`. It may be given as a number. An error, with Go's
 * text, for what is none.
 */
export function canonicalQuantity(value: JsonValue): string | Error {
  const amount = amountOf(value);
  if (amount instanceof CelError) return new Error(amount.message);
  return quantityText(amount, quantityFormat(String(value)));
}

/** The number of a quantity, which may be given as a number. */
export function amountOf(value: JsonValue): Amount | CelError {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
  return parseQuantity(isText ? String(value).trim() : '?');
}
