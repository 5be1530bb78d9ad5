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

/** What is checked in a map of data. */
interface DataReport {
  /** The errors of its keys: `data[..a]: Invalid value: "..a": ...`. */
  readonly errors: readonly FieldError[];
  /** The bytes of all values, those in base64 as what they stand for. */
  readonly bytes: number;
}

/** Checks the map in a field. In one pass: the keys of a large map alone take milliseconds to list. */
export function checkData(object: JsonObject, field: string, encoding: 'utf8' | 'base64'): DataReport {
  const errors: FieldError[] = [];
  const map = mapAt(object, field);
  let bytes = 0;
  for (const key of Object.keys(map)) {
    bytes += bytesOf(own(map, key) ?? null, encoding);
    if (isPlainDataKey(key)) continue;
    for (const text of dataKeyTexts(key)) errors.push(invalid(`${field}[${key}]`, key, text));
  }
  return { errors, bytes };
}

/** The map under a field, empty where there is none. */
export function mapAt(object: JsonObject, field: string): JsonObject {
  const value = own(object, field);
  return isObject(value) ? value : {};
}

function bytesOf(value: JsonValue, encoding: 'utf8' | 'base64'): number {
  return typeof value === 'string' ? Buffer.byteLength(value, encoding) : 0;
}
