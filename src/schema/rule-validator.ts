import type { FieldError, KubeObject } from '../meta/index.ts';
import type { ValidationReport } from './compiled-schema.ts';
import type { SchemaNode } from './schema-node.ts';

/** The inputs of `x-kubernetes-validations` rules: the whole object, also for `/status`. */
export interface RuleRequest {
  readonly object: KubeObject;
  readonly old?: KubeObject;
}

/** The compiled rules of one schema. */
export interface RuleValidator {
  validate(request: RuleRequest): ValidationReport;
  /** True where one of them may mention `oldSelf`. */
  readonly comparesWithOld: boolean;
}

/** Compiles the rules of a schema; undefined if it has none. Called when the first object is validated. */
export type CompileRules = (root: SchemaNode) => RuleValidator | undefined;

/** Error types that prevent rules from running, because values might not have the compiled types. */
const blockingTypes: ReadonlySet<FieldError['type']> = new Set<FieldError['type']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** True if errors prevent rules from running. */
export function blocksRules(errors: readonly FieldError[]): boolean {
  return errors.some((error) => blockingTypes.has(error.type));
}
