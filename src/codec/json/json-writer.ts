import { compareBytes, invariant, type JsonObject, type JsonValue, own, Float64 } from '../../meta/index.ts';
import { escapeHtml } from './escape-html.ts';
import { wellFormed } from './json-text.ts';

/** Canonical JSON of any value, piece by piece: the slow way of `encodeJson`, right for every value. */
export function writeJson(value: JsonValue): string {
  const parts: string[] = [];
  write(value, parts);
  return parts.join('');
}

function write(value: JsonValue, parts: string[]): void {
  if (typeof value === 'string') parts.push(quoteJson(value));
  else if (typeof value === 'number') parts.push(numberText(value));
  else if (value instanceof Float64) parts.push(numberText(value.valueOf()));
  else if (typeof value !== 'object' || value === null) parts.push(String(value));
  else if (Array.isArray(value)) writeArray(value, parts);
  else writeObject(value, parts);
}

function writeArray(items: JsonValue[], parts: string[]): void {
  parts.push('[');
  items.forEach((item, index) => {
    if (index > 0) parts.push(',');
    write(item, parts);
  });
  parts.push(']');
}

function writeObject(object: JsonObject, parts: string[]): void {
  parts.push('{');
  let separator = '';
  for (const key of Object.keys(object).sort(compareBytes)) {
    const item = own(object, key);
    if (item === undefined) continue;
    parts.push(separator, quoteJson(key), ':');
    write(item, parts);
    separator = ',';
  }
  parts.push('}');
}

function quoteJson(text: string): string {
  return escapeHtml(JSON.stringify(wellFormed(text)));
}

/** The shortest digits as ECMAScript has them; Go differs only in keeping the sign of zero. */
export function numberText(value: number): string {
  invariant(Number.isFinite(value), 'a number in JSON is finite');
  return Object.is(value, -0) ? '-0' : String(value);
}
