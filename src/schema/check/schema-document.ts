import { isObject, type JsonObject, type JsonValue } from '../../meta/index.ts';

/** A schema as written by the user; these functions read keywords of any shape. */
export type SchemaDocument = JsonObject;

/** True if a keyword has more than Go's zero value: null, false and empty values count as absent. */
export function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
}

/** True if a keyword is present; null counts as absent. */
export function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

export function textOf(schema: SchemaDocument, keyword: string): string {
  const value = schema[keyword];
  return typeof value === 'string' ? value : '';
}

export function textsOf(schema: SchemaDocument, keyword: string): string[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The schema under a keyword, `items` or `not`. */
export function schemaOf(schema: SchemaDocument, keyword: string): SchemaDocument | undefined {
  const value = schema[keyword];
  return isObject(value) ? value : undefined;
}

/** The schemas in a list, such as `allOf`; also the rules of `x-kubernetes-validations`. */
export function schemasOf(schema: SchemaDocument, keyword: string): SchemaDocument[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The schemas in a map, such as `properties`. */
export function namedSchemasOf(schema: SchemaDocument, keyword: string): [string, SchemaDocument][] {
  const value = schema[keyword];
  if (!isObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, SchemaDocument] => isObject(entry[1]));
}

/** One declared property. */
export function propertyOf(schema: SchemaDocument, name: string): SchemaDocument | undefined {
  return new Map(namedSchemasOf(schema, 'properties')).get(name);
}

type ChildrenOf = (schema: SchemaDocument) => readonly (SchemaDocument | undefined)[];

const inList =
  (keyword: string): ChildrenOf =>
  (schema) =>
    schemasOf(schema, keyword);
const inMap =
  (keyword: string): ChildrenOf =>
  (schema) =>
    namedSchemasOf(schema, keyword).map(([, child]) => child);
const directly =
  (keyword: string): ChildrenOf =>
  (schema) => [schemaOf(schema, keyword)];

/** In upstream's order, which determines the order of warnings. */
const inOrder: readonly { readonly keyword: string; readonly childrenOf: ChildrenOf }[] = [
  { keyword: 'items', childrenOf: (schema) => [schemaOf(schema, 'items'), ...schemasOf(schema, 'items')] },
  { keyword: 'allOf', childrenOf: inList('allOf') },
  { keyword: 'anyOf', childrenOf: inList('anyOf') },
  { keyword: 'oneOf', childrenOf: inList('oneOf') },
  { keyword: 'not', childrenOf: directly('not') },
  { keyword: 'properties', childrenOf: inMap('properties') },
  { keyword: 'additionalProperties', childrenOf: directly('additionalProperties') },
  { keyword: 'x-kubernetes-property-names', childrenOf: directly('x-kubernetes-property-names') },
  { keyword: 'patternProperties', childrenOf: inMap('patternProperties') },
  { keyword: 'additionalItems', childrenOf: directly('additionalItems') },
  { keyword: 'definitions', childrenOf: inMap('definitions') },
  { keyword: 'dependencies', childrenOf: inMap('dependencies') },
];

/** True if a schema or one of its descendants matches. Stops at the first match. */
export function someSchema(schema: SchemaDocument, isWanted: (schema: SchemaDocument) => boolean): boolean {
  if (isWanted(schema)) return true;
  for (const { keyword, childrenOf } of inOrder) {
    if (schema[keyword] === undefined) continue;
    for (const child of childrenOf(schema))
      if (child !== undefined && someSchema(child, isWanted)) return true;
  }
  return false;
}

/** All schemas in a schema, itself first. */
export function everySchema(schema: SchemaDocument): SchemaDocument[] {
  const found: SchemaDocument[] = [];
  someSchema(schema, (one) => {
    found.push(one);
    return false;
  });
  return found;
}
