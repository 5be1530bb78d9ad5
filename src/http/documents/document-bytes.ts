import { encodeJson } from '../../codec/index.ts';
import { isObject, type JsonObject, type JsonValue, limits, type Steps } from '../../meta/index.ts';

/**
 * A document as JSON in insertion order, which is several times faster than canonical order; the order of a document's
 * sources is already fixed. Only integers of 19 digits take the slow path.
 */
export function documentBytes(document: JsonValue): Buffer {
  return Buffer.from(plainJson(document) ?? encodeJson(document));
}

/** Objects up to this depth are written member by member: the paths, and the schemas in `components`. */
const memberDepthMax = 2;

/** {@link documentBytes} in consecutive chunks, as a generator. */
export function* documentPieces(document: JsonObject): Steps<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for (const part of memberwise(document, 0)) {
    parts.push(part);
    bytes += part.length;
    if (bytes < limits.sendPieceBytesMax) continue;
    pieces.push(Buffer.concat(parts));
    parts = [];
    bytes = 0;
    yield;
  }
  pieces.push(Buffer.concat(parts));
  return pieces;
}

function* memberwise(value: JsonValue, depth: number): Generator<Uint8Array> {
  if (!isObject(value) || depth > memberDepthMax) {
    yield documentBytes(value);
    return;
  }
  let separator = '{';
  for (const [key, member] of Object.entries(value)) {
    yield Buffer.from(`${separator}${JSON.stringify(key)}:`);
    yield* memberwise(member, depth + 1);
    separator = ',';
  }
  yield Buffer.from(separator === '{' ? '{}' : '}');
}

/** Undefined if `JSON.stringify` cannot write the document, because it contains a bigint. */
function plainJson(document: JsonValue): string | undefined {
  try {
    return JSON.stringify(document);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
