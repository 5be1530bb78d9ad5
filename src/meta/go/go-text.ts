import { type JsonValue, own, Float64 } from '../value/value.ts';

/** Prints values as Go does, because error messages are part of the API and clients match on them. */

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

const unprintable = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** A string in Go's `%q` form: double quotes, backslash escapes, printable Unicode kept. */
export function goQuote(text: string): string {
  return `"${text.replace(unprintable, (char) => escapes.get(char) ?? escapeCodePoint(char))}"`;
}

function escapeCodePoint(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/**
 * A float in Go's `%v` form: the shortest digits; with an exponent below -4 or from 6.
 * `1.5`, `100000`, `1e+06`, `1.2345675e+06`
 */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return String(value);
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits}e${exponent < 0 ? '-' : '+'}${size}`;
}

const htmlUnsafe = /[<>&\u2028\u2029]/g;

/** Compact JSON as Go's encoding/json writes it: keys sorted bytewise, `<`, `>` and `&` escaped. */
export function goJson(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return jsonString(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value instanceof Float64) return goJson(value.valueOf());
  if (Array.isArray(value)) return `[${value.map((item) => goJson(item)).join(',')}]`;
  const keys = Object.keys(value).sort(compareBytes);
  return `{${keys.map((key) => `${jsonString(key)}:${goJson(own(value, key))}`).join(',')}}`;
}

function jsonString(text: string): string {
  return JSON.stringify(text).replace(
    htmlUnsafe,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Orders strings by their UTF-8 bytes, as Go does; JavaScript's own order differs beyond U+FFFF. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return surrogateLast(left) - surrogateLast(right);
  }
  return a.length - b.length;
}

function surrogateLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** A value in an error message: strings in `%q`, numbers and booleans in `%v`, everything else as JSON. */
export function goValue(value: JsonValue | undefined): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return goFloat(value);
  if (value instanceof Float64) return goFloat(value.valueOf());
  return goJson(value);
}

/** The name of a value's type in messages of Go's JSON decoder: `cannot unmarshal number into ...`. */
export function goJsonKind(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' || value instanceof Float64 ? 'number' : typeof value;
}

/** A value as Go's `%v` prints it: `<nil>`, `map[a:1 b:[x y]]`, `1e+06`; strings are printed unchanged. */
export function goPrint(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return goFloat(value);
  if (value instanceof Float64) return goFloat(value.valueOf());
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  const keys = Object.keys(value).sort(compareBytes);
  return `map[${keys.map((key) => `${key}:${goPrint(own(value, key) ?? null)}`).join(' ')}]`;
}

/** The Go type of a decoded JSON value. */
export function goTypeName(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    case 'object':
      return value instanceof Float64 ? 'float64' : 'map[string]interface {}';
    default:
      return Number.isSafeInteger(value) || typeof value === 'bigint' ? 'int64' : 'float64';
  }
}
