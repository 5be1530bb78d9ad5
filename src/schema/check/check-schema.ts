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
import { defaultErrors, oneDefaultErrors } from './validate-defaults.ts';
import { rootErrors } from './root-rule.ts';
import { isGiven, type SchemaDocument, someSchema } from './schema-document.ts';
import { demandsOf } from './schema-demands.ts';
import type { CheckDefaultRules, CheckRules, CheckRuleTotals, SchemaCheck } from './schema-site.ts';
import { structuralErrors } from './validate-structure.ts';
import { type SchemaSurvey, type SurveyOf, surveySchema } from './survey-schema.ts';
import type { SurveyedPlace } from './surveyed-place.ts';
import { visitSchema } from './visit-schema.ts';

/** Options for checking a schema. */
export interface CheckSchemaOptions {
  readonly gates: FeatureGates;
  /** True if the version has the status subresource, which restricts the root of the schema. */
  readonly statusEnabled: boolean;
  /**
   * On update, the stored schemas of all versions: the new schema need not meet requirements that one of them violates.
   */
  readonly old?: readonly JsonObject[];
  /**
   * True if `spec.preserveUnknownFields` is set, for v1beta1 compatibility: only then may an old schema remain
   * non-structural.
   */
  readonly preserveUnknownFields?: boolean;
  /** Checks the expressions of `x-kubernetes-validations`; if omitted, only their other fields are checked. */
  readonly checkRules?: CheckRules;
  /** Checks the total cost of the rules, after `checkRules` was called for all. */
  readonly checkRuleTotals?: CheckRuleTotals;
  /** Runs the rules of schemas on their defaults. */
  readonly checkDefaultRules?: CheckDefaultRules;
  /** A cache of surveys, for callers that check the same schemas. */
  readonly surveyOf?: SurveyOf;
}

/**
 * Returns all errors of the `openAPIV3Schema` of a CustomResourceDefinition, in upstream's order; where upstream
 * iterates over a Go map in random order, in the order of declaration.
 *
 * `path` is the location of the schema: `spec.validation.openAPIV3Schema`, or `spec.versions[0].schema.openAPIV3Schema`
 * if versions differ.
 *
 * Source: ValidateCustomResourceDefinition of k8s.io/apiextensions-apiserver.
 */
export function checkSchema(
  schema: SchemaDocument,
  path: FieldPath,
  options: CheckSchemaOptions,
): FieldError[] {
  const { surveyOf = surveySchema } = options;
  // The exact check decides what may stay unchanged on update.
  const everythingDemanded = (options.old ?? []).length === 0 && options.preserveUnknownFields !== true;
  const survey = everythingDemanded ? surveyOf(schema) : undefined;
  return survey === undefined
    ? checkExactly(schema, path, options)
    : checkSurveyed(survey, schema, path, options);
}

/** The remaining checks of {@link checkExactly} if a survey has found nothing unusual. */
function checkSurveyed(
  survey: SchemaSurvey,
  schema: SchemaDocument,
  path: FieldPath,
  options: CheckSchemaOptions,
): FieldError[] {
  const errors = rootOnlyErrors(schema, path, options);
  const check = checkOf(schema, options);
  const defaults = survey.defaults.flatMap((place) => surveyedDefaultErrors(place, path, check));
  if (defaults.length > 0) return [...errors, ...defaults];
  const { checkRules, checkRuleTotals } = options;
  const rules = checkRules === undefined ? [] : survey.rules.flatMap((place) => checkRules(place.site(path)));
  return [...errors, ...rules, ...(checkRuleTotals?.(path) ?? [])];
}

function surveyedDefaultErrors(place: SurveyedPlace, root: FieldPath, check: SchemaCheck): FieldError[] {
  const node = new SchemaNode(place.schema, check.gates);
  const site = { node, path: place.site(root).path, metadataSteps: undefined };
  return node.default === undefined ? [] : oneDefaultErrors(site, node.default, check);
}

function checkOf(schema: SchemaDocument, options: CheckSchemaOptions): SchemaCheck {
  const { gates, checkRules, checkDefaultRules } = options;
  return { gates, demands: demandsOf(schema, options), checkRules, checkDefaultRules };
}

function rootOnlyErrors(
  schema: SchemaDocument,
  path: FieldPath,
  { statusEnabled }: CheckSchemaOptions,
): FieldError[] {
  const errors = statusEnabled ? rootErrors(schema, path) : [];
  if (schema['nullable'] !== true) return errors;
  return [...errors, forbidden(path.child('nullable'), 'nullable cannot be true at the root')];
}

/** Like {@link checkSchema}, without the survey that may skip most of it. */
export function checkExactly(
  schema: SchemaDocument,
  path: FieldPath,
  options: CheckSchemaOptions,
): FieldError[] {
  const errors = rootOnlyErrors(schema, path, options);
  const check = checkOf(schema, options);
  const unreadable = check.demands.structural ? conversionProblem(schema) : undefined;
  const structure =
    check.demands.structural && unreadable === undefined ? soundness(schema, path, check) : [];
  const rulesCheckable = check.demands.structural && unreadable === undefined && structure.length === 0;
  const visited = visitSchema(schema, path, rulesCheckable ? check : { ...check, checkRules: undefined });
  const all = [...errors, ...structure, ...visited];
  if (all.length === 0 && unreadable !== undefined) return [invalid(path, '', unreadable)];
  return rulesCheckable ? [...all, ...(options.checkRuleTotals?.(path) ?? [])] : all;
}

/** Whether the schema is structural, and if so, whether its defaults are valid. */
function soundness(schema: SchemaDocument, path: FieldPath, check: SchemaCheck): FieldError[] {
  const structure = structuralErrors(schema, path);
  if (structure.length > 0 || !someSchema(schema, (one) => isGiven(one['default']))) return structure;
  return defaultErrors(new SchemaNode(schema, check.gates), path, check);
}
