import type { FieldError } from './field-error.ts';

/** An error of a rule that upstream declares on the type of the field: see {@link declaredLast}. */
export function declared(error: FieldError): FieldError {
  return { ...error, isDeclared: true };
}

/**
 * Errors in upstream's order: rules that are declared on types are checked after those that are written as code.
 * Source: apiserver, pkg/registry/rest/validate.go, ValidateDeclarativelyWithMigrationChecks.
 */
export function declaredLast(errors: readonly FieldError[]): readonly FieldError[] {
  const last = errors.filter(({ isDeclared }) => isDeclared === true);
  if (last.length === 0) return errors;
  return [...errors.filter(({ isDeclared }) => isDeclared !== true), ...last];
}
