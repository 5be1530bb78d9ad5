import { type FieldError, invalid, tooLong } from '../refusal/field-error.ts';
import type { FieldPath } from '../refusal/field-path.ts';
import { limits } from '../limits.ts';
import { checkLabelKey, checkLabelValue } from '../names/names.ts';

/** The errors of labels. Each is at the map itself, with the key or the value as its value. */
export function labelErrors(path: FieldPath, labels: ReadonlyMap<string, string>): FieldError[] {
  return [...labels].flatMap(([key, value]) => [
    ...checkLabelKey(key).map((text) => invalid(path, key, text)),
    ...checkLabelValue(value).map((text) => invalid(path, value, text)),
  ]);
}

/**
 * The errors of annotations. Keys are validated like label keys, in any case; values are limited only by their total
 * size.
 */
export function annotationErrors(path: FieldPath, annotations: ReadonlyMap<string, string>): FieldError[] {
  const errors = [...annotations.keys()].flatMap((key) =>
    checkLabelKey(key.toLowerCase()).map((text) => invalid(path, key, text)),
  );
  if (sizeBytes(annotations) > limits.annotationsBytesMax) {
    errors.push(tooLong(path, limits.annotationsBytesMax));
  }
  return errors;
}

function sizeBytes(map: ReadonlyMap<string, string>): number {
  let total = 0;
  for (const [key, value] of map) total += Buffer.byteLength(key) + Buffer.byteLength(value);
  return total;
}
