export * from './compiled-schema.ts';
export { type CompileOptions, compileSchema } from './compile-schema.ts';
export { SchemaCache } from './schema-cache.ts';
export { schemaless, validatingOnly } from './schemaless.ts';
export { everyEntry, type FieldSteps } from './withheld-defaults.ts';
export { SchemaNode } from './schema-node.ts';
export type { CompileRules, RuleRequest, RuleValidator } from './rule-validator.ts';

export { type CoerceMetadataOptions, coerceMetadata } from './metadata/coerce-metadata.ts';
export { microTimeErrorText, timeErrorText } from './metadata/go-time-error.ts';
export { MetadataTypeError } from './metadata/metadata-type-error.ts';

export { type CheckSchemaOptions, checkSchema } from './check/check-schema.ts';
export { conversionProblem } from './check/conversion-problem.ts';
export type { SchemaDocument } from './check/schema-document.ts';
export type {
  CheckDefaultRules,
  CheckRules,
  CheckRuleTotals,
  SchemaSite,
  SchemaStep,
} from './check/schema-site.ts';
export { parseRuleFieldPath } from './check/rule-field-path.ts';
export { schemaWarnings, unrecognizedFormats } from './check/schema-warnings.ts';
export { structuralErrors } from './check/validate-structure.ts';
export { rememberingSurveys, type SchemaSurvey, type SurveyOf, surveySchema } from './check/survey-schema.ts';

// Rules
export { compileRules, objectCostLimit } from './rules/compile-rules.ts';
export { expressionCostLimit, schemaCostLimit } from './rules/rule-cost.ts';
export { declareObject } from './rules/declare-object.ts';
export { escapeName } from './rules/escape-name.ts';
export { type RuleCheckContext, type RuleChecks, ruleChecks } from './rules/rule-checks.ts';
export { RuleEnvironments } from './rules/rule-environments.ts';

// The types of the functions above.
export {
  defaultFeatureGates,
  type FeatureGates,
  type FieldError,
  FieldPath,
  fieldErrorText,
  type JsonObject,
  type JsonValue,
  parseFeatureGates,
} from '../meta/index.ts';
