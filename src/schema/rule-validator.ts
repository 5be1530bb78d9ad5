import type { FieldError, KubeObject } from '../meta/index.ts';
import type { ValidationReport } from './compiled-schema.ts';
import type { SchemaNode } from './schema-node.ts';

/** What `x-kubernetes-validations` rules look at: the whole object, also for `/status`. */
export interface RuleRequest {
  readonly object: KubeObject;
  readonly old?: KubeObject;
}

/** The rules of one schema, ready to run. */
export interface RuleValidator {
  validate(request: RuleRequest): ValidationReport;
  /** True where one of them may mention `oldSelf`. */
  readonly comparesWithOld: boolean;
}

/** Compiles the rules of a schema; undefined where it has none. Called when the first object is validated. */
export type CompileRules = (root: SchemaNode) => RuleValidator | undefined;

/** Errors after which rules are not run: they could meet values of a type they were not compiled for. */
const blockingTypes: ReadonlySet<FieldError['type']> = new Set<FieldError['type']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** True where errors keep rules from being run. */
export function blocksRules(errors: readonly FieldError[]): boolean {
  return errors.some((error) => blockingTypes.has(error.type));
}
