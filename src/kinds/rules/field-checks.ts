import { type Amount, CelError, compareAmounts } from '../../cel/index.ts';
import {
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  notSupported,
  own,
  ownList,
  ownString,
  required,
} from '../../meta/index.ts';
import { amountOf } from '../typed/canonical-quantity.ts';

/** Checks of single fields that many kinds make, in upstream's words. Paths are texts: `spec.ports[0].name`. */

/** A field as text; an absent one is empty, as in Go. */
export function textAt(object: JsonObject, field: string): string {
  return ownString(object, field) ?? '';
}

/** A field as a number; undefined where it is absent. */
export function numberAt(object: JsonObject, field: string): number | undefined {
  const value = own(object, field);
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : undefined;
}

/** The errors of each object in a list, with its place in it. */
export function eachItem(
  path: string,
  list: readonly JsonValue[] | undefined,
  check: (item: JsonObject, path: string, index: number) => readonly FieldError[],
): FieldError[] {
  return (list ?? []).flatMap((item, index) =>
    isObject(item) ? check(item, `${path}[${index}]`, index) : [],
  );
}

/** {@link eachItem} of a list in a field. */
export function eachIn(
  path: string,
  object: JsonObject,
  field: string,
  check: (item: JsonObject, path: string, index: number) => readonly FieldError[],
): FieldError[] {
  return eachItem(`${path}.${field}`, ownList(object, field), check);
}

/** Must be one of the choices, and is required. */
export function oneOf(path: string, value: JsonValue | undefined, choices: readonly string[]): FieldError[] {
  if (value === undefined || value === null || value === '') return [required(path)];
  return supported(path, value, choices);
}

/** Must be one of the choices, if present. */
export function supported(
  path: string,
  value: JsonValue | undefined,
  choices: readonly string[],
): FieldError[] {
  if (value === undefined || value === null) return [];
  return choices.some((one) => one === value) ? [] : [notSupported(path, value, choices)];
}

/** Each text that a check gives about a value, as an error at the path. */
export function invalidAs(
  path: string,
  value: string,
  check: (value: string) => readonly string[],
): FieldError[] {
  return check(value).map((text) => invalid(path, value, text));
}

/** A text that must be there, and pass a check. */
export function requiredAs(
  path: string,
  value: string,
  check: (value: string) => readonly string[],
): FieldError[] {
  return value === '' ? [required(path)] : invalidAs(path, value, check);
}

/** `must be greater than or equal to 0` */
export function notNegativeAt(path: string, object: JsonObject, ...fields: readonly string[]): FieldError[] {
  return fields.flatMap((field) => {
    const value = numberAt(object, field);
    return value !== undefined && value < 0
      ? [invalid(`${path}.${field}`, value, 'must be greater than or equal to 0')]
      : [];
  });
}

/** `must be between 1 and 65535, inclusive` */
export function within(path: string, value: number, min: number, max: number): FieldError[] {
  if (value >= min && value <= max) return [];
  return [invalid(path, value, `must be between ${min} and ${max}, inclusive`)];
}

export function portErrors(path: string, port: number): FieldError[] {
  return within(path, port, 1, 65_535);
}

const zero: Amount = { value: 0n, scale: 0, exact: true };

/** -1, 0 or 1 as a quantity is below, equal to or above another, or zero; 0 for an invalid quantity. */
export function compareQuantities(value: JsonValue, other?: JsonValue): number {
  const amount = amountOf(value);
  const limit = other === undefined ? zero : amountOf(other);
  if (amount instanceof CelError || limit instanceof CelError) return 0;
  return compareAmounts(amount, limit);
}

/** True for a quantity that is no whole number. */
export function isFraction(value: JsonValue): boolean {
  const amount = amountOf(value);
  if (amount instanceof CelError || amount.scale >= 0) return false;
  return amount.value % 10n ** BigInt(-amount.scale) !== 0n;
}
