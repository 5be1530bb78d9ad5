import { type FieldError, forbidden, invalid } from '../refusal/field-error.ts';
import type { FieldPath } from '../refusal/field-path.ts';
import { compareBytes, goQuote } from '../go/go-text.ts';
import { checkLabelKey } from '../names/names.ts';

/** Waits for the dependents to be orphaned. */
export const orphanFinalizer = 'orphan';
/** Waits for the dependents to be deleted. */
export const foregroundFinalizer = 'foregroundDeletion';

const undomained: ReadonlySet<string> = new Set([orphanFinalizer, foregroundFinalizer, 'kubernetes']);

/** The errors of finalizers: invalid names, or both garbage collection finalizers at once. */
export function finalizerErrors(path: FieldPath, finalizers: readonly string[]): FieldError[] {
  const errors = finalizers.flatMap((finalizer) =>
    checkLabelKey(finalizer).map((text) => invalid(path, finalizer, text)),
  );
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const text = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`;
    errors.push(invalid(path, [...finalizers], text));
  }
  return errors;
}

/** An object that is being deleted may lose finalizers, but gets no new ones. */
export function newFinalizerErrors(
  path: FieldPath,
  finalizers: readonly string[],
  oldFinalizers: readonly string[],
): FieldError[] {
  const added = addedFinalizers(finalizers, oldFinalizers);
  if (added.length === 0) return [];
  const list = `[]string{${added.map(goQuote).join(', ')}}`;
  const text = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  return [forbidden(path, text)];
}

/**
 * Warnings about finalizers that a write adds to a custom resource: two controllers may choose the same unqualified
 * name.
 */
export function finalizerWarnings(
  finalizers: readonly string[],
  oldFinalizers: readonly string[] = [],
): string[] {
  return addedFinalizers(finalizers, oldFinalizers).flatMap((finalizer) => {
    const texts = checkLabelKey(finalizer);
    if (!finalizer.includes('/') && !undomained.has(finalizer)) {
      const path = finalizer.includes('.') ? ' including a path (/)' : '';
      texts.push(
        `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
      );
    }
    return texts.map((text) => `metadata.finalizers: ${goQuote(finalizer)}: ${text}`);
  });
}

/** Sorted, without duplicates. */
function addedFinalizers(finalizers: readonly string[], old: readonly string[]): string[] {
  const known = new Set(old);
  return [...new Set(finalizers)].filter((finalizer) => !known.has(finalizer)).sort(compareBytes);
}
