import { compareBytes, type FeatureGates, goQuote } from '../../meta/index.ts';
import { findFormat } from '../formats/format-table.ts';
import { everySchema, type SchemaDocument, schemaOf, textOf } from './schema-document.ts';

/** Formats that mean nothing for the type they stand at, each time they occur. */
export function unrecognizedFormats(schema: SchemaDocument, gates: FeatureGates): string[] {
  const found: string[] = [];
  for (const one of everySchema(schema)) {
    const format = textOf(one, 'format');
    const type = textOf(one, 'type');
    if (format !== '' && findFormat(format, type === '' ? [] : [type], gates) === undefined)
      found.push(format);
  }
  return found;
}

/** Types of set items that other parts of Kubernetes cannot deal with, as warnings, sorted and each once. */
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

/**
 * The warnings for a write of a CustomResourceDefinition with these schemas, one for each version; on update only
 * those that the old schemas did not cause.
 */
export function schemaWarnings(
  schemas: readonly SchemaDocument[],
  gates: FeatureGates,
  old: readonly SchemaDocument[] = [],
): string[] {
  const oldFormats = new Set(old.flatMap((schema) => unrecognizedFormats(schema, gates)));
  const formats = schemas.flatMap((schema) => unrecognizedFormats(schema, gates));
  const oldSets = new Set(old.flatMap(compoundSetWarnings));
  const sets = new Set(schemas.flatMap(compoundSetWarnings));
  return [
    ...formats
      .filter((format) => !oldFormats.has(format))
      .map((format) => `unrecognized format ${goQuote(format)}`),
    ...[...sets].filter((text) => !oldSets.has(text)).sort(compareBytes),
  ];
}
