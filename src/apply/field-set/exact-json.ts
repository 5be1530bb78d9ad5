import { decodeJson } from '../../codec/index.ts';
import { isObject, type JsonObject, type JsonValue, mayBeMisread, put } from '../../meta/index.ts';

const mayHoldBigInteger = /\d{16}/;
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * `JSON.parse` that keeps integers beyond 2^53 as bigint: `{"id":9007199254740993}`. For the short JSON inside
 * FieldsV1 keys.
 *
 * @throws {SyntaxError} for invalid JSON.
 */
export function parseExactJson(text: string): JsonValue {
  const value = parseFast(text);
  return mayBeMisread(text, value) ? decodeJson(Buffer.from(text)).value : value;
}

function parseFast(text: string): JsonValue {
  if (!mayHoldBigInteger.test(text)) return JSON.parse(text);
  // Every string gets a mark, so that large integers can be passed as strings with another mark.
  return unmark(JSON.parse(text.replace(stringOrNumber, mark)));
}

function mark(token: string): string {
  if (token.startsWith('"')) return `"s${token.slice(1)}`;
  return /^-?(?:0|[1-9]\d*)$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"i${token}"` : token;
}

function unmark(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.startsWith('i') ? BigInt(value.slice(1)) : value.slice(1);
  if (Array.isArray(value)) return value.map(unmark);
  if (!isObject(value)) return value;
  const plain: JsonObject = {};
  for (const [key, item] of Object.entries(value)) put(plain, key.slice(1), unmark(item));
  return plain;
}
