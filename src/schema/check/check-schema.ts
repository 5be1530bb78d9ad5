import {
  type FeatureGates,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  type JsonObject,
} from '../../meta/index.ts';
import { SchemaNode } from '../schema-node.ts';
import { conversionProblem } from './conversion-problem.ts';
import { defaultErrors } from './default-errors.ts';
import { rootErrors } from './root-rule.ts';
import { isGiven, type SchemaDocument, someSchema } from './schema-document.ts';
import { demandsOf } from './schema-demands.ts';
import type { CheckDefaultRules, CheckRules, CheckRuleTotals, SchemaCheck } from './schema-site.ts';
import { structuralErrors } from './structural-errors.ts';
import { visitSchema } from './visit-schema.ts';

/** How a schema is checked. */
export interface CheckSchemaOptions {
  readonly gates: FeatureGates;
  /** True where the version has the status subresource, which restricts the root of the schema. */
  readonly statusEnabled: boolean;
  /**
   * On update the schemas of all versions as they were stored: what one of them broke already is not demanded of
   * the new one.
   */
  readonly old?: readonly JsonObject[];
  /** True where `spec.preserveUnknownFields` is, a relic of v1beta1: only then may an old schema stay unstructured. */
  readonly preserveUnknownFields?: boolean;
  /** Checks the expressions of `x-kubernetes-validations`; without it only what surrounds them is checked. */
  readonly checkRules?: CheckRules;
  /** Checks what the rules cost together, after `checkRules` has seen all. */
  readonly checkRuleTotals?: CheckRuleTotals;
  /** Runs the rules of schemas on their defaults. */
  readonly checkDefaultRules?: CheckDefaultRules;
}

/**
 * Everything that is wrong with the `openAPIV3Schema` of a CustomResourceDefinition, in upstream's order; where
 * upstream goes through a Go map in random order, this goes in the order of declaration.
 *
 * `path` is where the schema stands: `spec.validation.openAPIV3Schema`, or
 * `spec.versions[0].schema.openAPIV3Schema` where versions differ.
 *
 * Source: ValidateCustomResourceDefinition of k8s.io/apiextensions-apiserver.
 */
export function checkSchema(
  schema: SchemaDocument,
  path: FieldPath,
  options: CheckSchemaOptions,
): FieldError[] {
  const check: SchemaCheck = {
    gates: options.gates,
    demands: demandsOf(schema, options),
    checkRules: options.checkRules,
    checkDefaultRules: options.checkDefaultRules,
  };
  const errors = options.statusEnabled ? rootErrors(schema, path) : [];
  if (schema['nullable'] === true) {
    errors.push(forbidden(path.child('nullable'), 'nullable cannot be true at the root'));
  }
  const unreadable = check.demands.structural ? conversionProblem(schema) : undefined;
  const structure =
    check.demands.structural && unreadable === undefined ? soundness(schema, path, check) : [];
  const rulesCheckable = check.demands.structural && unreadable === undefined && structure.length === 0;
  const visited = visitSchema(schema, path, rulesCheckable ? check : { ...check, checkRules: undefined });
  const all = [...errors, ...structure, ...visited];
  if (all.length === 0 && unreadable !== undefined) return [invalid(path, '', unreadable)];
  return rulesCheckable ? [...all, ...(options.checkRuleTotals?.(path) ?? [])] : all;
}

/** Whether the schema is structural, and if so, its defaults are. */
function soundness(schema: SchemaDocument, path: FieldPath, check: SchemaCheck): FieldError[] {
  const structure = structuralErrors(schema, path);
  if (structure.length > 0 || !someSchema(schema, (one) => isGiven(one['default']))) return structure;
  return defaultErrors(new SchemaNode(schema, check.gates), path, check);
}
