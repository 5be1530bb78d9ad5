import { isUtf8 } from 'node:buffer';
import { type JsonValue, mayBeMisread, type Steps } from '../../meta/index.ts';
import { countKeys } from './count-keys.ts';
import type { IsLenientAt } from './duplicate-fields.ts';
import { JsonParser } from './json-parser.ts';
import { asBuffer } from './json-text.ts';
import { parseInSteps } from './parse-in-steps.ts';
import { scanJson } from './scan-json.ts';

/** A decoded body and its strict decoding errors. */
export interface Decoded {
  readonly value: JsonValue;
  /** Strict errors for duplicate keys; the last value wins. */
  readonly duplicates: string[];
}

/**
 * Decodes JSON as Kubernetes does (`sigs.k8s.io/json`, untyped): integers keep 64 bits, the last of duplicate keys
 * wins and is reported, invalid UTF-8 becomes U+FFFD.
 *
 * `JSON.parse` is used wherever it gives the same result. If the value has fewer keys than the text has colons
 * between tokens, there are duplicate keys, and our own parser, which knows their paths, parses the text again.
 *
 * @param isLenientAt where duplicate keys are allowed
 * @throws {DecodeError} with the message of Go's decoder.
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
 * {@link decodeJson}, in steps for a long text.
 *
 * @throws {DecodeError} with the message of Go's decoder.
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
 * Like {@link decodeJson}, but keeps how numbers are written: a number that would be encoded differently becomes a
 * `Float64` with its text, for `encodeJsonAsWritten` and error messages. No number is too large.
 *
 * @throws {DecodeError} with the message of Go's decoder.
 */
export function decodeJsonAsWritten(bytes: Uint8Array): JsonValue {
  return new JsonParser(bytes, { numbersAsWritten: true }).parse();
}

/**
 * Decodes canonical JSON, as all stores keep it: it has no duplicate keys, so keys are not counted.
 *
 * @param isPlain true if the text is known to contain nothing that `JSON.parse` reads differently
 * @throws {DecodeError} as {@link decodeJson}
 */
export function decodeCanonicalJson(bytes: Uint8Array, { isPlain = false } = {}): JsonValue {
  if (isPlain || (!scanJson(bytes).needsOwnParser && isUtf8(bytes))) {
    const value = parseNatively(bytes);
    if (value !== undefined) return value;
  }
  return new JsonParser(bytes).parse();
}

/** Undefined for text that is not JSON, or whose keys V8 may have misread. */
function parseNatively(bytes: Uint8Array): JsonValue | undefined {
  try {
    const text = asBuffer(bytes).toString('utf8');
    const value: JsonValue = JSON.parse(text);
    return mayBeMisread(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** {@link decodeCanonicalJson}, in steps for a long text. */
export function* decodeCanonicalJsonInSteps(bytes: Uint8Array, { isPlain = false } = {}): Steps<JsonValue> {
  if (bytes.length <= parsedAtOnceBytes) return decodeCanonicalJson(bytes, { isPlain });
  if (isPlain || (!scanJson(bytes).needsOwnParser && isUtf8(bytes))) {
    yield;
    const parsed = yield* parseInSteps(asBuffer(bytes));
    if (parsed !== undefined) return parsed.value;
  }
  return yield* new JsonParser(bytes).parseInSteps();
}
