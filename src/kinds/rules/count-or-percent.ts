import { type FieldError, invalid, type JsonValue } from '../../meta/index.ts';

/** Numbers of pods that may be percentages. Source: kubernetes, pkg/apis/apps/validation. */

const percentForm = /^[0-9]+%$/;
const percentText =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for " +
  "validation is '[0-9]+%')";

/** A count must not be below zero, and a text must be a share. */
export function countOrPercentErrors(path: string, value: JsonValue | undefined): FieldError[] {
  if (typeof value === 'string') return percentForm.test(value) ? [] : [invalid(path, value, percentText)];
  if (typeof value !== 'number' || value >= 0) return [];
  return [invalid(path, value, 'must be greater than or equal to 0')];
}

/** A share must not be more than all. */
export function aboveAllErrors(path: string, value: JsonValue | undefined): FieldError[] {
  if (typeof value !== 'string' || !percentForm.test(value) || Number.parseInt(value, 10) <= 100) return [];
  return [invalid(path, value, 'must not be greater than 100%')];
}

/** The number in it, absolute or in per cent. */
export function countIn(value: JsonValue | undefined): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && percentForm.test(value) ? Number.parseInt(value, 10) : 0;
}
