import { isUtf8 } from 'node:buffer';
import type { JsonValue, Steps } from '../../meta/index.ts';
import { countKeys } from './count-keys.ts';
import type { IsLenientAt } from './duplicate-fields.ts';
import { JsonParser } from './json-parser.ts';
import { asBuffer } from './json-text.ts';
import { parseInSteps } from './parse-in-steps.ts';
import { scanJson } from './scan-json.ts';

/** A decoded body, and what strict decoding holds against it. */
export interface Decoded {
  readonly value: JsonValue;
  /** Texts of strict errors for keys that an object has twice; the last value wins. */
  readonly duplicates: string[];
}

/**
 * Reads JSON as Kubernetes does (`sigs.k8s.io/json`, untyped): integers keep 64 bits, the last of two equal keys
 * wins and is reported, invalid UTF-8 becomes U+FFFD.
 *
 * `JSON.parse` does the work wherever it comes to the same result. A text with fewer keys in its value than colons
 * between its tokens has duplicates, and is read again by our own parser, which knows their paths.
 *
 * @param isLenientAt where keys that stand there twice are no error
 * @throws {DecodeError} with the text of Go's decoder.
 */
export function decodeJson(bytes: Uint8Array, isLenientAt?: IsLenientAt): Decoded {
  const { keys, needsOwnParser } = scanJson(bytes);
  if (!needsOwnParser && isUtf8(bytes)) {
    const value = parseNatively(bytes);
    if (value !== undefined && countKeys(value) === keys) return { value, duplicates: [] };
  }
  const parser = new JsonParser(bytes, { isLenientAt });
  const value = parser.parse();
  return { value, duplicates: parser.duplicates.texts() };
}

/** Shorter texts are parsed in one step. */
const parsedAtOnceBytes = 128 * 1024;

/**
 * {@link decodeJson}, in steps where the text is long.
 *
 * @throws {DecodeError} with the text of Go's decoder.
 */
export function* decodeJsonInSteps(bytes: Uint8Array, isLenientAt?: IsLenientAt): Steps<Decoded> {
  if (bytes.length <= parsedAtOnceBytes) return decodeJson(bytes, isLenientAt);
  const { keys, needsOwnParser } = scanJson(bytes);
  yield;
  if (!needsOwnParser && isUtf8(bytes)) {
    const parsed = yield* parseInSteps(asBuffer(bytes));
    if (parsed?.keys === keys) return { value: parsed.value, duplicates: [] };
  }
  const parser = new JsonParser(bytes, { isLenientAt });
  const value = yield* parser.parseInSteps();
  return { value, duplicates: parser.duplicates.texts() };
}

/**
 * As {@link decodeJson}, with numbers as they are written: each that would be written otherwise is a `Float64` with its
 * text, for `encodeJsonAsWritten` and for texts of errors. None is too large.
 *
 * @throws {DecodeError} with the text of Go's decoder.
 */
export function decodeJsonAsWritten(bytes: Uint8Array): JsonValue {
  return new JsonParser(bytes, { numbersAsWritten: true }).parse();
}

/**
 * The value of canonical JSON, as every store keeps it: no object in it has a key twice, so nothing is counted.
 *
 * @param isPlain true where the text is known to hold nothing that `JSON.parse` reads otherwise
 * @throws {DecodeError} as {@link decodeJson}
 */
export function decodeCanonicalJson(bytes: Uint8Array, { isPlain = false } = {}): JsonValue {
  if (isPlain || (!scanJson(bytes).needsOwnParser && isUtf8(bytes))) {
    const value = parseNatively(bytes);
    if (value !== undefined) return value;
  }
  return new JsonParser(bytes).parse();
}

function parseNatively(bytes: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(asBuffer(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** {@link decodeCanonicalJson}, in steps where the text is long. */
export function* decodeCanonicalJsonInSteps(bytes: Uint8Array, { isPlain = false } = {}): Steps<JsonValue> {
  if (bytes.length <= parsedAtOnceBytes) return decodeCanonicalJson(bytes, { isPlain });
  if (isPlain || (!scanJson(bytes).needsOwnParser && isUtf8(bytes))) {
    yield;
    const parsed = yield* parseInSteps(asBuffer(bytes));
    if (parsed !== undefined) return parsed.value;
  }
  return yield* new JsonParser(bytes).parseInSteps();
}
