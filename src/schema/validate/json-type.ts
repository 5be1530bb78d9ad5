import { type JsonValue, Float64 } from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import { isInt64, isNearlyInteger } from './number-rules.ts';

/** The message for a wrong type: `must be of type expected: "actual"`. */
interface TypeMismatch {
  readonly expected: string;
  readonly actual: string;
}

/** The JSON type of a value; like Go, distinguishes int64 and float64. */
function jsonType(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'object':
      return value instanceof Float64 ? 'number' : 'object';
    default:
      return isInt64(value) ? 'integer' : 'number';
  }
}

/** The Go format of a number, printed in errors if the schema has a format. */
const numberFormats: ReadonlyMap<string, string> = new Map([
  ['integer', 'int64'],
  ['number', 'float64'],
]);

/**
 * Compares a value's type with the types of a schema. Two upstream quirks are kept, because stored objects rely on
 * them: with a format, the error names the format instead of the type, and a string format accepts lists.
 */
export function typeMismatch(node: SchemaNode, value: JsonValue): TypeMismatch | undefined {
  const { types, format } = node;
  if (types.length === 0 && format === '') return undefined;
  const actual = jsonType(value);
  if (actual === 'null') {
    if (types.length === 0 || node.nullable || types.includes('null')) return undefined;
    return { expected: types.join(','), actual };
  }
  const fits = types.includes(actual) || fitsAsNumber(types, actual, value);
  if (format !== '') {
    if (actual !== 'string' && actual !== 'array' && !fits) {
      return { expected: format, actual: numberFormats.get(actual) ?? '' };
    }
    const numeric = types.includes('number') || types.includes('integer');
    if (!numeric && (actual === 'string' || actual === 'array')) return undefined;
  }
  return fits ? undefined : { expected: types.join(','), actual };
}

function fitsAsNumber(types: readonly string[], actual: string, value: JsonValue): boolean {
  if (actual === 'integer') return types.includes('number');
  return actual === 'number' && types.includes('integer') && isNearlyInteger(Number(value));
}
