import { compareBytes, type FeatureGates, goQuote } from '../../meta/index.ts';
import { findFormat } from '../formats/format-table.ts';
import { everySchema, type SchemaDocument, schemaOf, textOf } from './schema-document.ts';
import { type SchemaSurvey, type SurveyOf, surveySchema } from './survey-schema.ts';

/** Formats that do not apply to their type, once per occurrence. */
export function unrecognizedFormats(schema: SchemaDocument, gates: FeatureGates): string[] {
  const found: string[] = [];
  for (const one of everySchema(schema)) {
    const format = textOf(one, 'format');
    if (format !== '' && !isRecognized(format, textOf(one, 'type'), gates)) found.push(format);
  }
  return found;
}

function isRecognized(format: string, type: string, gates: FeatureGates): boolean {
  return findFormat(format, type === '' ? [] : [type], gates) !== undefined;
}

/** Types of set items that other Kubernetes components do not support, as warnings, sorted and unique. */
function compoundSetWarnings(schema: SchemaDocument): string[] {
  const found = new Set<string>();
  for (const one of everySchema(schema)) {
    const type = textOf(schemaOf(one, 'items') ?? {}, 'type');
    if (one['x-kubernetes-list-type'] !== 'set' || (type !== 'object' && type !== 'array')) continue;
    const text = 'is not supported by server-side apply or CEL validation rules';
    found.add(`x-kubernetes-list-type: set for items of type ${goQuote(type)} ${text}`);
  }
  return [...found].sort(compareBytes);
}

/** The survey of a schema without warnings. */
function isQuiet({ formats, hasCompoundSet }: SchemaSurvey, gates: FeatureGates): boolean {
  if (hasCompoundSet) return false;
  for (const { format, type } of formats) if (!isRecognized(format, type, gates)) return false;
  return true;
}

/**
 * The warnings for writing a CustomResourceDefinition with these schemas, one per version; on update only new ones.
 */
export function schemaWarnings(
  schemas: readonly SchemaDocument[],
  gates: FeatureGates,
  old: readonly SchemaDocument[] = [],
  surveyOf: SurveyOf = surveySchema,
): string[] {
  const loud = schemas.filter((schema) => {
    const survey = surveyOf(schema);
    return survey === undefined || !isQuiet(survey, gates);
  });
  if (loud.length === 0) return [];
  const oldFormats = new Set(old.flatMap((schema) => unrecognizedFormats(schema, gates)));
  const formats = loud.flatMap((schema) => unrecognizedFormats(schema, gates));
  const oldSets = new Set(old.flatMap(compoundSetWarnings));
  const sets = new Set(loud.flatMap(compoundSetWarnings));
  return [
    ...formats
      .filter((format) => !oldFormats.has(format))
      .map((format) => `unrecognized format ${goQuote(format)}`),
    ...[...sets].filter((text) => !oldSets.has(text)).sort(compareBytes),
  ];
}
