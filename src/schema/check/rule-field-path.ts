import { isGiven, isSet, propertyOf, type SchemaDocument, schemaOf } from './schema-document.ts';

/** `.name` or `['quoted name']`; a quote is escaped with a backslash. */
const step = /\.(?<name>(?!')[^.[\]]+)|\['(?<quoted>(?:[^'\\]|\\.)*)'\]/suy;
const escapes = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ["'", "'"],
  ['\\', '\\'],
]);

/** The names in a `fieldPath`; undefined if it is invalid. */
export function parseRuleFieldPath(text: string): string[] | undefined {
  const names: string[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < text.length) {
    const groups = step.exec(text)?.groups;
    if (groups === undefined) return undefined;
    const name = groups['quoted'] === undefined ? groups['name'] : unescapeName(groups['quoted']);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names;
}

function unescapeName(text: string): string | undefined {
  let valid = true;
  const plain = text.replace(/\\(.)/gsu, (_, char: string) => {
    const found = escapes.get(char);
    valid &&= found !== undefined;
    return found ?? '';
  });
  return valid ? plain : undefined;
}

/** True if a path leads from a schema to a declared field or a map entry. */
export function isRuleFieldPath(text: string, schema: SchemaDocument): boolean {
  const names = parseRuleFieldPath(text);
  if (names === undefined) return false;
  let at: SchemaDocument | undefined = schema;
  for (const name of names) {
    if (at === undefined || !leadsTo(at, name)) return false;
    at = propertyOf(at, name) ?? schemaOf(at, 'additionalProperties');
  }
  return true;
}

function leadsTo(schema: SchemaDocument, name: string): boolean {
  if (isSet(schema['properties'])) return propertyOf(schema, name) !== undefined;
  return isGiven(schema['additionalProperties']);
}
