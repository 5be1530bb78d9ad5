import {
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
} from '../../meta/index.ts';

/** What the keys and the size of ConfigMaps and Secrets are held to. Source: kubernetes, pkg/apis/core/validation. */

/** The values of a ConfigMap or a Secret together. */
export const dataBytesMax = 1_048_576;

const keyBytesMax = 253;
const keyForm = /^[-._a-zA-Z0-9]+$/;
const keyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  " +
  "or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

function keyMistakes(key: string): string[] {
  const mistakes: string[] = [];
  if (Buffer.byteLength(key) > keyBytesMax) mistakes.push(`must be no more than ${keyBytesMax} characters`);
  if (!keyForm.test(key)) mistakes.push(keyText);
  if (key === '.') mistakes.push("must not be '.'");
  else if (key === '..') mistakes.push("must not be '..'");
  else if (key.startsWith('..')) mistakes.push("must not start with '..'");
  return mistakes;
}

/** What is wrong with the keys of a map that stands under a field: `data[..a]: Invalid value: "..a": ...`. */
export function keyErrors(object: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(mapAt(object, field))) {
    // Of tens of thousands of keys, nearly all are fine.
    if (key.length <= keyBytesMax && keyForm.test(key) && !key.startsWith('.')) continue;
    for (const text of keyMistakes(key)) errors.push(invalid(`${field}[${key}]`, key, text));
  }
  return errors;
}

/** The map under a field, empty where there is none. */
export function mapAt(object: JsonObject, field: string): JsonObject {
  const value = own(object, field);
  return isObject(value) ? value : {};
}

/** The bytes of all values, those in base64 as what they stand for. */
export function valueBytes(map: JsonObject, encoding: 'utf8' | 'base64'): number {
  let sum = 0;
  for (const key in map) sum += bytesOf(own(map, key) ?? null, encoding);
  return sum;
}

function bytesOf(value: JsonValue, encoding: 'utf8' | 'base64'): number {
  return typeof value === 'string' ? Buffer.byteLength(value, encoding) : 0;
}
