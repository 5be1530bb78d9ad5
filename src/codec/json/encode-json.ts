import { invariant, type JsonObject, type JsonValue, own, put, Float64 } from '../../meta/index.ts';
import { escapeHtml } from './escape-html.ts';
import { writeJson } from './json-writer.ts';

/**
 * Encodes canonical JSON: keys sorted by their UTF-8 bytes; `<`, `>`, `&`, U+2028 and U+2029 escaped; all digits of a
 * bigint; `-0` kept; unpaired surrogates as U+FFFD. These are the bytes that Go's `encoding/json` writes for a map.
 *
 * Every write uses this function, so it calls `JSON.stringify` wherever possible: on the value itself if its keys are
 * sorted (as in stored objects), otherwise on a sorted copy. {@link writeJson} handles the rest: bigints, `-0`, keys
 * that JavaScript reorders (`"10"` before `"9"`), surrogates.
 *
 * @throws {InvariantError} for a number without a JSON form; no decoder returns one.
 */
export function encodeJson(value: JsonValue): Buffer {
  return Buffer.from(encodeJsonText(value), 'utf8');
}

/** {@link encodeJson}, before the conversion to bytes. */
export function encodeJsonText(value: JsonValue): string {
  return surveyJsonText(value).text;
}

/**
 * Canonical JSON, and whether `JSON.parse` decodes it as `decodeJson` does: it has no integer beyond 2^53 and no
 * `-0`.
 */
export interface SurveyedJson {
  readonly text: string;
  readonly isPlain: boolean;
}

/** {@link encodeJsonText} with this information. */
export function surveyJsonText(value: JsonValue): SurveyedJson {
  const survey: Survey = { irregular: false, isPlain: true };
  const sorted = sortedView(value, survey);
  const { irregular, isPlain } = survey;
  if (irregular) return { text: writeJson(value), isPlain };
  const text = JSON.stringify(sorted);
  if (!unusual.test(text)) return { text, isPlain };
  return { text: surrogates.test(text) ? writeJson(value) : escapeHtml(text), isPlain };
}

/** An unpaired surrogate is written as \udXXX, a pair raw; both may change the key order. */
const surrogates = /[\ud800-\udfff]|\\ud[89a-f]/;
const unusual = /[<>&\u2028\u2029\ud800-\udfff]|\\ud[89a-f]/;

interface Survey {
  /** True if `JSON.stringify` cannot write the canonical text. */
  irregular: boolean;
  /** False if `JSON.parse` would read some number differently. */
  isPlain: boolean;
}

/** The value itself if all its keys are sorted, otherwise a sorted copy. */
function sortedView(value: JsonValue, survey: Survey): JsonValue {
  if (typeof value === 'object' && value !== null) {
    if (value instanceof Float64) return integerOf(value, survey);
    return Array.isArray(value) ? sortedItems(value, survey) : sortedObject(value, survey);
  }
  if (typeof value === 'number') {
    invariant(Number.isFinite(value), 'a number in JSON is finite');
    if (Object.is(value, -0)) survey.irregular = true;
    if (Object.is(value, -0) || Math.abs(value) > Number.MAX_SAFE_INTEGER) survey.isPlain = false;
  } else if (typeof value === 'bigint') {
    survey.irregular = true;
    survey.isPlain = false;
  }
  return value;
}

/** It is written as an integer, so decoding gives another value. */
function integerOf(value: Float64, survey: Survey): number {
  survey.isPlain = false;
  return value.valueOf();
}

function sortedItems(items: JsonValue[], survey: Survey): JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (item === undefined || typeof item === 'string') continue;
    const sorted = sortedView(item, survey);
    if (sorted === item) continue;
    copy ??= items.slice();
    copy[index] = sorted;
  }
  return copy ?? items;
}

function sortedObject(object: JsonObject, survey: Survey): JsonObject {
  let inOrder = true;
  let changed: Map<string, JsonValue> | undefined;
  let previous = '';
  for (const key in object) {
    if (key < previous) inOrder = false;
    previous = key;
    const item = object[key];
    if (item === undefined || typeof item === 'string') continue;
    const sorted = sortedView(item, survey);
    if (sorted !== item) (changed ??= new Map()).set(key, sorted);
  }
  if (inOrder && changed === undefined) return object;
  return sortedCopy(object, changed, survey);
}

function sortedCopy(
  object: JsonObject,
  changed: Map<string, JsonValue> | undefined,
  survey: Survey,
): JsonObject {
  const keys = Object.keys(object).sort();
  const copy: JsonObject = {};
  for (const key of keys) {
    // JavaScript orders array indexes before all other keys, by number, whatever the insertion order.
    const first = key.charCodeAt(0);
    if (first >= 0x30 && first <= 0x39) survey.irregular = true;
    const value = changed?.get(key) ?? own(object, key);
    if (value !== undefined) put(copy, key, value);
  }
  return copy;
}
