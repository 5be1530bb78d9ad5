import { goJson, type JsonObject, type JsonValue, ownObject, ownString } from '../../meta/index.ts';
import { textOf } from '../spec-view.ts';
import type { HoistedSpec, HoistedVersion } from './hoisted-spec.ts';

/**
 * Prints versions as upstream does in error messages: the JSON of a Go struct without JSON tags, without the fields
 * that all versions share. A version's own schema is printed with the API's field names.
 */
export function versionsText({ raw, versions }: HoistedSpec): string {
  return Array.isArray(raw['versions']) ? `[${versions.map(versionText).join(',')}]` : 'null';
}

function versionText({ raw, schema, subresources, columns, selectableFields }: HoistedVersion): string {
  const openAPIV3Schema = schema === undefined ? undefined : ownObject(schema, 'openAPIV3Schema');
  return struct({
    Name: goJson(textOf(raw, 'name')),
    Served: goJson(raw['served'] === true),
    Storage: goJson(raw['storage'] === true),
    Deprecated: goJson(raw['deprecated'] === true),
    DeprecationWarning: goJson(ownString(raw, 'deprecationWarning')),
    Schema: schema === undefined ? 'null' : struct({ OpenAPIV3Schema: goJson(openAPIV3Schema) }),
    Subresources: subresources === undefined ? 'null' : subresourcesText(subresources),
    AdditionalPrinterColumns: list(columns.map(columnText)),
    SelectableFields: list(
      selectableFields.map((field) => struct({ JSONPath: goJson(textOf(field, 'jsonPath')) })),
    ),
  });
}

function subresourcesText(subresources: JsonObject): string {
  const scale = ownObject(subresources, 'scale');
  return struct({
    Status: ownObject(subresources, 'status') === undefined ? 'null' : '{}',
    Scale: scale === undefined ? 'null' : scaleText(scale),
  });
}

function scaleText(scale: JsonObject): string {
  return struct({
    SpecReplicasPath: goJson(textOf(scale, 'specReplicasPath')),
    StatusReplicasPath: goJson(textOf(scale, 'statusReplicasPath')),
    LabelSelectorPath: goJson(ownString(scale, 'labelSelectorPath')),
  });
}

function columnText(column: JsonObject): string {
  const priority: JsonValue = column['priority'] ?? 0;
  return struct({
    Name: goJson(textOf(column, 'name')),
    Type: goJson(textOf(column, 'type')),
    Format: goJson(textOf(column, 'format')),
    Description: goJson(textOf(column, 'description')),
    Priority: goJson(priority),
    JSONPath: goJson(textOf(column, 'jsonPath')),
  });
}

function struct(fields: Readonly<Record<string, string>>): string {
  return `{${Object.entries(fields)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;
}

/** A list that was never set prints as null. */
function list(items: readonly string[]): string {
  return items.length === 0 ? 'null' : `[${items.join(',')}]`;
}
