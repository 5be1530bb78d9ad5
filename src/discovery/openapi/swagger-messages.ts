import { isObject, type JsonObject, ownString } from '../../meta/index.ts';
import {
  any,
  bool,
  double,
  entries,
  fields,
  inside,
  int64,
  listOf,
  type MessageTable,
  message,
  string,
  type WriteContent,
  type WriteField,
} from './message-writer.ts';

/**
 * Swagger 2.0 in protobuf: the messages of gnostic's OpenAPIv2.proto that Kubernetes' documents use, with their field
 * numbers.
 */

const externalDocs = fields(
  new Map([
    ['description', [1, string]],
    ['url', [2, string]],
  ] satisfies Rows),
  3,
);

type Rows = [string, readonly [number, WriteField]][];

const oneOrMore: WriteField = (writer, field, value) =>
  listOf(string)(writer, field, Array.isArray(value) ? value : [value]);

const additionalProperties: WriteField = (writer, field, value) => {
  if (isObject(value)) message(() => schema, [1])(writer, field, value);
  else inside(2, bool)(writer, field, value);
};

/** `Schema` */
const schemaTable: MessageTable = new Map([
  ['$ref', [1, string]],
  ['format', [2, string]],
  ['title', [3, string]],
  ['description', [4, string]],
  ['default', [5, any]],
  ['multipleOf', [6, double]],
  ['maximum', [7, double]],
  ['exclusiveMaximum', [8, bool]],
  ['minimum', [9, double]],
  ['exclusiveMinimum', [10, bool]],
  ['maxLength', [11, int64]],
  ['minLength', [12, int64]],
  ['pattern', [13, string]],
  ['maxItems', [14, int64]],
  ['minItems', [15, int64]],
  ['uniqueItems', [16, bool]],
  ['maxProperties', [17, int64]],
  ['minProperties', [18, int64]],
  ['required', [19, listOf(string)]],
  ['enum', [20, listOf(any)]],
  ['additionalProperties', [21, additionalProperties]],
  ['type', [22, inside(1, oneOrMore)]],
  ['items', [23, message(() => schema, [1])]],
  ['properties', [25, message(() => definitions)]],
  ['externalDocs', [29, message(() => externalDocs)]],
  ['example', [30, any]],
] satisfies Rows);

const schema: WriteContent = fields(schemaTable, 31);

/** `Definitions`, and `Properties`, which has the same encoding. */
export const definitions: WriteContent = entries(
  1,
  message(() => schema),
);

/** `QueryParameterSubSchema` */
const queryParameter = fields(
  new Map([
    ['required', [1, bool]],
    ['in', [2, string]],
    ['description', [3, string]],
    ['name', [4, string]],
    ['type', [6, string]],
    ['uniqueItems', [20, bool]],
  ] satisfies Rows),
);

/** `PathParameterSubSchema` */
const pathParameter = fields(
  new Map([
    ['required', [1, bool]],
    ['in', [2, string]],
    ['description', [3, string]],
    ['name', [4, string]],
    ['type', [5, string]],
    ['uniqueItems', [19, bool]],
  ] satisfies Rows),
);

/** `BodyParameter` */
const bodyParameter = fields(
  new Map([
    ['description', [1, string]],
    ['name', [2, string]],
    ['in', [3, string]],
    ['required', [4, bool]],
    ['schema', [5, message(() => schema)]],
  ] satisfies Rows),
);

const reference = fields(new Map([['$ref', [1, string]]] satisfies Rows));

/** `Parameter`: a body or a non-body parameter. */
function parameterWithin(outer: readonly number[]): WriteField {
  const kinds: Readonly<Record<string, WriteField>> = {
    body: message(() => bodyParameter, [...outer, 1]),
    query: message(() => queryParameter, [...outer, 2, 3]),
    path: message(() => pathParameter, [...outer, 2, 4]),
  };
  return (writer, field, value) => {
    if (isObject(value)) kinds[placeOf(value)]?.(writer, field, value);
  };
}

function placeOf(parameter: JsonObject): string {
  return ownString(parameter, 'in') ?? '';
}

const writtenOut = parameterWithin([1]);
const referred = message(() => reference, [2]);

/** `ParametersItem`: a parameter or a reference. */
const parametersItem: WriteField = (writer, field, value) => {
  const isReference = isObject(value) && ownString(value, '$ref') !== undefined;
  (isReference ? referred : writtenOut)(writer, field, value);
};

/** `ParameterDefinitions` */
export const parameters: WriteContent = entries(1, parameterWithin([]));

/** `Response` */
const response = fields(
  new Map([
    ['description', [1, string]],
    ['schema', [2, message(() => schema, [1])]],
  ] satisfies Rows),
  5,
);

const responses: WriteContent = entries(
  1,
  message(() => response, [1]),
);

const operation = fields(
  new Map([
    ['tags', [1, listOf(string)]],
    ['summary', [2, string]],
    ['description', [3, string]],
    ['operationId', [5, string]],
    ['produces', [6, listOf(string)]],
    ['consumes', [7, listOf(string)]],
    ['parameters', [8, listOf(parametersItem)]],
    ['responses', [9, message(() => responses)]],
    ['schemes', [10, listOf(string)]],
  ] satisfies Rows),
  13,
);

const pathItem = fields(
  new Map([
    ['get', [2, message(() => operation)]],
    ['put', [3, message(() => operation)]],
    ['post', [4, message(() => operation)]],
    ['delete', [5, message(() => operation)]],
    ['patch', [8, message(() => operation)]],
    ['parameters', [9, listOf(parametersItem)]],
  ] satisfies Rows),
  10,
);

/** `Paths` */
export const paths: WriteContent = entries(
  2,
  message(() => pathItem),
);

const info = fields(
  new Map([
    ['title', [1, string]],
    ['version', [2, string]],
  ] satisfies Rows),
);

/** `ApiKeySecurity`, the only variant of `SecurityDefinitionsItem` in use. */
const apiKey = fields(
  new Map([
    ['type', [1, string]],
    ['name', [2, string]],
    ['in', [3, string]],
    ['description', [4, string]],
  ] satisfies Rows),
);

const securityDefinitions: WriteContent = entries(
  1,
  message(() => apiKey, [2]),
);

/** `SecurityRequirement`: the name of a definition, and a message with scopes. */
const securityRequirement: WriteContent = entries(1, (writer, field, value) =>
  message(() => (inner) => listOf(string)(inner, 1, value))(writer, field, {}),
);

/** `Document`, without the sections assembled from entries. */
export const head: WriteContent = fields(
  new Map([
    ['swagger', [1, string]],
    ['info', [2, message(() => info)]],
    ['security', [12, listOf(message(() => securityRequirement))]],
    ['securityDefinitions', [13, message(() => securityDefinitions)]],
  ] satisfies Rows),
);

/** The field numbers of the sections of `Document` assembled from entries. */
export const sectionFields = { paths: 8, definitions: 9, parameters: 10 } as const;
