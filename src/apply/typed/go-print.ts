import { compareBytes, goFloat, goQuote, isObject, type JsonValue, own, Float64 } from '../../meta/index.ts';

/**
 * Prints JSON values as upstream's typed objects print their content, a pointer to a struct with one field, for
 * messages that clients may match.
 */

/** `%v`: `&{1}`, `&{map[a:1 b:x]}` */
export function goPointer(value: JsonValue): string {
  return `&{${plain(value)}}`;
}

/** `%#v`: `&value.valueUnstructured{Value:"x"}` */
export function goPointerSyntax(value: JsonValue): string {
  return `&value.valueUnstructured{Value:${syntax(value)}}`;
}

function plain(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(plain).join(' ')}]`;
  if (!isObject(value)) return scalar(value);
  return `map[${sortedKeys(value)
    .map((key) => `${key}:${plain(own(value, key) ?? null)}`)
    .join(' ')}]`;
}

function syntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(syntax).join(', ')}}`;
  if (!isObject(value)) return scalar(value);
  const fields = sortedKeys(value).map((key) => `${goQuote(key)}:${syntax(own(value, key) ?? null)}`);
  return `map[string]interface {}{${fields.join(', ')}}`;
}

function scalar(value: number | bigint | boolean | Float64): string {
  if (value instanceof Float64) return goFloat(value.valueOf());
  // A bigint is an integer beyond 2^53 that fits into int64.
  return typeof value === 'number' && !Number.isSafeInteger(value) ? goFloat(value) : String(value);
}

function sortedKeys(map: object): string[] {
  return Object.keys(map).sort(compareBytes);
}

/** `%T`: the Go type of a value. */
export function goTypeName(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? 'int64' : 'float64';
}
