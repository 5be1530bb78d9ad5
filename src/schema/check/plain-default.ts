import { isObject, type JsonObject, type JsonValue } from '../../meta/index.ts';

/** Keywords that do not affect the checks below. */
const known: ReadonlySet<string> = new Set([
  'type',
  'default',
  'title',
  'description',
  'externalDocs',
  'example',
  'nullable',
  'enum',
  'minimum',
  'maximum',
  'format',
]);

/**
 * True for a default that is obviously valid: most are a string, number or boolean without further rules. False does
 * not mean invalid.
 */
export function isPlainDefault(schema: JsonObject, value: JsonValue): boolean {
  for (const keyword in schema) if (!known.has(keyword)) return false;
  const choices = schema['enum'];
  if (choices !== undefined && !(Array.isArray(choices) && choices.includes(value))) return false;
  switch (schema['type']) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string' && schema['format'] === undefined;
    case 'integer':
      return typeof value === 'number' && isPlainInteger(schema, value);
    default:
      return isEmpty(schema, value);
  }
}

/** Bounds that are not integers are reported separately. */
function isPlainInteger({ format, minimum, maximum }: JsonObject, value: number): boolean {
  if (format !== undefined && format !== 'int32' && format !== 'int64') return false;
  const [low = value, high = value] = [minimum, maximum];
  return isInt32(low) && isInt32(high) && isInt32(value) && low <= value && value <= high;
}

function isInt32(value: JsonValue): value is number {
  return typeof value === 'number' && value === (value | 0);
}

/** An empty list or object without rules. */
function isEmpty({ type, format }: JsonObject, value: JsonValue): boolean {
  if (format !== undefined) return false;
  if (type === 'array') return Array.isArray(value) && value.length === 0;
  return type === 'object' && isObject(value) && Object.keys(value).length === 0;
}
