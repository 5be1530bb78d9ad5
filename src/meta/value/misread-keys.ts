import { Float64, type JsonValue } from './value.ts';

/**
 * V8 before 12.8 (Node 20 and 22) reads keys correctly.
 *
 * Later versions may read an escaped key as the start of its source text if they have seen an object with that key: after
 * `{"a":[],"\\":0}`, the second key of `{"a":1,"\"":2}` is `\`. So one client could change what another one stores.
 * https://github.com/nodejs/node/issues/63785
 */
const readsKeys = /^(?:\d|1[01]|12\.[0-7])\./;

/**
 * True if `JSON.parse` may have misread a key of a value. A misread key has a backslash in it; keys that have one
 * in truth are rare, and are parsed again by a slower parser.
 *
 * @param text what was parsed
 */
export function mayBeMisread(text: string, value: JsonValue, v8 = process.versions.v8): boolean {
  return !readsKeys.test(v8) && text.includes('\\') && hasBackslashInKey(value);
}

function hasBackslashInKey(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Float64) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && hasBackslashInKey(item)) return true;
    return false;
  }
  for (const key in value) {
    if (key.includes('\\')) return true;
    const item = value[key];
    if (typeof item === 'object' && hasBackslashInKey(item)) return true;
  }
  return false;
}
