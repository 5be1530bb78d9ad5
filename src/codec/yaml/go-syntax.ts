import { compareBytes, goFloat, goQuote, type JsonValue, own, Float64 } from '../../meta/index.ts';

/** A value in Go's `%#v` form, for error messages: `map[interface {}]interface {}{"a":1}`. */
export function goSyntax(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : goFloat(value);
  if (value === null) return '<nil>';
  if (typeof value !== 'object' || value instanceof Float64) return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(inInterface).join(', ')}}`;
  const pairs = Object.keys(value)
    .sort(compareBytes)
    .map((key) => `${goQuote(key)}:${inInterface(own(value, key) ?? null)}`);
  return `map[interface {}]interface {}{${pairs.join(', ')}}`;
}

function inInterface(value: JsonValue): string {
  return value === null ? 'interface {}(nil)' : goSyntax(value);
}
