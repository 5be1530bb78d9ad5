import { decodeJson } from '../codec/index.ts';
import { isObject, type JsonObject } from '../meta/index.ts';

/**
 * A client library's object as sent in JSON: dates become strings, undefined fields are dropped. Not by `JSON.parse`,
 * which some versions of V8 let misread keys.
 */
export function asJson(object: object): JsonObject {
  const { value } = decodeJson(Buffer.from(JSON.stringify(object)));
  return isObject(value) ? value : {};
}
