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
  /** A shared survey of schemas, for several callers that check the same ones. */
  readonly surveyOf?: SurveyOf;
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
  const { surveyOf = surveySchema } = options;
  // What may stay as it was on update is a matter of the exact check.
  const everythingDemanded = (options.old ?? []).length === 0 && options.preserveUnknownFields !== true;
  const survey = everythingDemanded ? surveyOf(schema) : undefined;
  return survey === undefined
    ? checkExactly(schema, path, options)
    : checkSurveyed(survey, schema, path, options);
}

/** The checks that remain of {@link checkExactly} if a survey has found nothing unusual. */
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

/** As {@link checkSchema}, without a look beforehand that may spare most of it. */
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

/** Whether the schema is structural, and if so, its defaults are. */
function soundness(schema: SchemaDocument, path: FieldPath, check: SchemaCheck): FieldError[] {
  const structure = structuralErrors(schema, path);
  if (structure.length > 0 || !someSchema(schema, (one) => isGiven(one['default']))) return structure;
  return defaultErrors(new SchemaNode(schema, check.gates), path, check);
}
