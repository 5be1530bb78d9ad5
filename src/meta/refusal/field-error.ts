import { type FieldPath, pathText } from './field-path.ts';
import { goQuote, goValue } from '../go/go-text.ts';
import type { JsonValue } from '../value/value.ts';

/**
 * The types of field errors, with Kubernetes' texts. The key is the value of `details.causes[].reason`.
 * Source: k8s.io/apimachinery/pkg/util/validation/field.
 */
const typeTexts = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  InternalError: 'Internal error',
} as const;

export type FieldErrorType = keyof typeof typeTexts;

const withoutValue: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
]);

/** One error of one field. Errors are collected, not thrown; one place turns the list into a 422. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The path's text, `<nil>` for the root. */
  readonly field: string;
  /** The invalid value; `undefined` prints as `null`. Ignored by the types that print no value. */
  readonly value?: JsonValue | undefined;
  /** The printed value if Go's type prints it differently: the JSON of a struct has the struct's field order. */
  readonly valueText?: string;
  /** True if the value is left out of the message, as rules do for objects and lists. */
  readonly omitsValue?: true;
  /** True for a rule that upstream declares on the type of the field: its errors come last. */
  readonly isDeclared?: true;
  readonly detail: string;
}

type Where = FieldPath | string | undefined;

function at(where: Where): string {
  return typeof where === 'string' ? where : pathText(where);
}

/** `path: Required value: detail` */
export function required(where: Where, detail = ''): FieldError {
  return { type: 'FieldValueRequired', field: at(where), detail };
}

/** `path: Invalid value: value: detail` */
export function invalid(where: Where, value: JsonValue | undefined, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field: at(where), value, detail };
}

/** Like {@link invalid}, for a value of the wrong type: prints the same, and prevents CEL rules from running. */
export function typeInvalid(where: Where, value: JsonValue | undefined, detail: string): FieldError {
  return { type: 'FieldValueTypeInvalid', field: at(where), value, detail };
}

/** `path: Duplicate value: value` */
export function duplicate(where: Where, value: JsonValue | undefined): FieldError {
  return { type: 'FieldValueDuplicate', field: at(where), value, detail: '' };
}

/** `path: Not found: value` */
export function notFound(where: Where, value: JsonValue | undefined): FieldError {
  return { type: 'FieldValueNotFound', field: at(where), value, detail: '' };
}

/** `path: Forbidden: detail` */
export function forbidden(where: Where, detail: string): FieldError {
  return { type: 'FieldValueForbidden', field: at(where), detail };
}

/** `path: Unsupported value: value: supported values: "a", "b"` */
export function notSupported(
  where: Where,
  value: JsonValue | undefined,
  supported: readonly string[],
): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return { type: 'FieldValueNotSupported', field: at(where), value, detail };
}

/** `path: Too long: may not be more than N bytes`; a negative limit is not printed. */
export function tooLong(where: Where, limitBytes: number): FieldError {
  const detail =
    limitBytes < 0 ? 'value is too long' : `may not be more than ${counted(limitBytes, 'byte', 'bytes')}`;
  return { type: 'FieldValueTooLong', field: at(where), detail };
}

/** `path: Too many: count: must have at most N items`; a negative count is not printed. */
export function tooMany(where: Where, count: number, limit: number): FieldError {
  const detail = limit < 0 ? 'has too many items' : `must have at most ${counted(limit, 'item', 'items')}`;
  return { type: 'FieldValueTooMany', field: at(where), value: count, detail };
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The error without its field: `Invalid value: "x": must be ...`. This is the message of a cause. */
export function fieldErrorBody(error: FieldError): string {
  const text = typeTexts[error.type];
  const negativeCount =
    (error.type === 'FieldValueTooMany' || error.type === 'FieldValueTooFew') &&
    typeof error.value === 'number' &&
    error.value < 0;
  const value =
    withoutValue.has(error.type) || error.omitsValue === true || negativeCount
      ? ''
      : `: ${error.valueText ?? goValue(error.value)}`;
  return `${text}${value}${error.detail === '' ? '' : `: ${error.detail}`}`;
}

/** The whole error: `spec.x: Invalid value: "x": must be ...`. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** Several errors as one text: without duplicates, `[a, b]` for more than one. */
export function aggregateText(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(fieldErrorText))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
