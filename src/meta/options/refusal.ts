import type { FieldError } from '../refusal/field-error.ts';
import { invalidError } from '../refusal/status.ts';

/**
 * Refuses invalid or conflicting options.
 *
 * @throws {StatusError} 422 `ListOptions.meta.k8s.io "" is invalid: ...` if there are errors.
 */
export function refuseOptions(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ group: 'meta.k8s.io', kind }, '', errors);
}
