import { isObject, type JsonObject, type JsonValue, own, ownList, ownObject } from '../src/meta/index.ts';

const textsToTry = [
  'a',
  '1',
  '1Gi',
  '2024-01-01T00:00:00Z',
  'https://a.example.com/',
  '1h',
  'aaaaaaaaaaaa',
  '10.0.0.1',
];

/** The smallest value that a structural schema takes, as far as a schema says it in simple words. */
export function minimalValue(schema: JsonObject): JsonValue {
  const fixed = own(schema, 'default') ?? ownList(schema, 'enum')?.[0];
  if (fixed !== undefined) return fixed;
  switch (own(schema, 'type')) {
    case 'object':
      return minimalObject(schema);
    case 'array':
      return minimalArray(schema);
    case 'integer':
    case 'number':
      return own(schema, 'minimum') ?? 0;
    case 'boolean':
      return false;
    default:
      return minimalText(schema);
  }
}

/** The fields of a schema that must be there. */
function minimalObject(schema: JsonObject): JsonObject {
  const properties = ownObject(schema, 'properties') ?? {};
  const required = (ownList(schema, 'required') ?? []).filter((name) => typeof name === 'string');
  const minProperties = Number(own(schema, 'minProperties') ?? 0);
  const more = Object.keys(properties).filter((name) => !required.includes(name));
  const names = [...required, ...more.slice(0, Math.max(0, minProperties - required.length))];
  return Object.fromEntries(
    names.map((name) => [name, minimalValue(ownObject(properties, name) ?? { type: 'string' })]),
  );
}

function minimalArray(schema: JsonObject): JsonValue[] {
  const items = own(schema, 'items');
  const length = Number(own(schema, 'minItems') ?? 0);
  return Array.from({ length }, () => (isObject(items) ? minimalValue(items) : 'a'));
}

function minimalText(schema: JsonObject): string {
  const pattern = own(schema, 'pattern');
  const minLength = Number(own(schema, 'minLength') ?? 0);
  const fits = (text: string) =>
    text.length >= minLength && (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text));
  return textsToTry.find(fits) ?? 'a'.repeat(minLength);
}
