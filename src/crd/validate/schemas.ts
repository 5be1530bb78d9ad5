import {
  equal,
  type FeatureGates,
  type FieldError,
  FieldPath,
  invalid,
  type JsonObject,
  required,
} from '../../meta/index.ts';
import { checkSchema, type SurveyOf } from '../../schema/index.ts';
import { resolveSchema } from '../field-gates/resolve-schema.ts';
import { schemaOf, versionsOf } from '../spec-view.ts';
import { schemasIn } from '../schema-walk.ts';
import type { CrdCheck, CrdRule } from './crd-check.ts';
import type { HoistedSpec, VersionParts } from './hoisted-spec.ts';

const specPath = FieldPath.of('spec');

function given(schemas: readonly (JsonObject | undefined)[]): JsonObject[] {
  return schemas.filter((schema) => schema !== undefined);
}

/** Every schema of a spec, in the order of its versions. */
function openApiSchemasOf(spec: HoistedSpec | undefined): JsonObject[] {
  return given((spec?.versions ?? []).map((version) => version.openAPIV3Schema));
}

/** Like the above, but a schema that all versions share comes once. */
export function hoistedSchemasOf(spec: HoistedSpec | undefined): JsonObject[] {
  const parts = spec === undefined ? [] : [spec.top, ...spec.versions];
  return given(parts.map(({ schema }) => (schema === undefined ? undefined : schemaOf({ schema }))));
}

/** Every version needs a schema, unless the stored CRD has none. */
export const schemaRequiredRule: CrdRule = ({ spec, oldSpec }) => {
  const oldDidWithout =
    oldSpec !== undefined && versionsOf(oldSpec.raw).some((version) => schemaOf(version) === undefined);
  const preserved = spec.raw['preserveUnknownFields'] === true;
  if (oldDidWithout && preserved) return [];
  return spec.versions.flatMap(({ path, openAPIV3Schema, raw }) => {
    if (openAPIV3Schema !== undefined || (oldDidWithout && raw['served'] !== true)) return [];
    const at = path.child('schema').child('openAPIV3Schema');
    return [required(at, oldDidWithout ? 'because otherwise all fields are pruned' : '')];
  });
};

/** Defaults require pruning. */
export const defaultsRule: CrdRule = ({ spec }) => {
  if (spec.raw['preserveUnknownFields'] !== true || !hasDefaults(spec)) return [];
  const path = specPath.child('preserveUnknownFields');
  return [invalid(path, true, 'must be false in order to use defaults in the schema')];
};

function hasDefaults(spec: HoistedSpec): boolean {
  for (const schema of openApiSchemasOf(spec)) {
    for (const one of schemasIn(schema)) if (one['default'] !== undefined) return true;
  }
  return false;
}

/**
 * The stored schemas that would be refused if they were created today. The schema of each version is compared with
 * these only; comparing with all stored schemas would cost the square of the number of versions.
 */
export function unsoundSchemas(
  spec: HoistedSpec | undefined,
  gates: FeatureGates,
  surveyOf: SurveyOf,
): JsonObject[] {
  return hoistedSchemasOf(spec).filter(
    (schema) => checkSchema(schema, specPath, { gates, statusEnabled: false, surveyOf }).length > 0,
  );
}

/** The place of a schema: its version, the first one if all share it, and the restrictions that apply. */
interface SchemaPlace {
  readonly version: string;
  readonly statusEnabled: boolean;
}

/** The schema of a version, its own or the shared one. */
export function schemaErrors(
  { schema: holder, schemaPath }: VersionParts,
  check: CrdCheck,
  { version, statusEnabled }: SchemaPlace,
): FieldError[] {
  const schema = holder === undefined ? undefined : schemaOf({ schema: holder });
  if (schema === undefined) return [];
  const stored = check.oldSpec?.versionNamed.get(version)?.openAPIV3Schema;
  const { storedExpressions } = check;
  // With every gate on, so that all rules and all enum values are checked.
  return checkSchema(
    resolveSchema(schema, () => true),
    schemaPath.child('openAPIV3Schema'),
    {
      ...check.ruleChecksFor({ costLimited: !equal(schema, stored), storedExpressions }),
      gates: check.gates,
      statusEnabled,
      preserveUnknownFields: check.spec.raw['preserveUnknownFields'] === true,
      old: check.unsoundOldSchemas,
      surveyOf: check.surveyOf,
    },
  );
}
