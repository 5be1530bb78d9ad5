import {
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
} from '../../meta/index.ts';
import { dataKeyTexts, isPlainDataKey } from '../rules/data-key.ts';

/** The rules for keys and sizes of ConfigMaps and Secrets. Source: kubernetes, pkg/apis/core/validation. */

/** The values of a ConfigMap or a Secret together. */
export const dataBytesMax = 1_048_576;

/** The errors of the keys of the map in a field: `data[..a]: Invalid value: "..a": ...`. */
export function keyErrors(object: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(mapAt(object, field))) {
    if (isPlainDataKey(key)) continue;
    for (const text of dataKeyTexts(key)) errors.push(invalid(`${field}[${key}]`, key, text));
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
