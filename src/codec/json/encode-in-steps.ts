import {
  compareBytes,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  put,
  sortInSteps,
  type Steps,
} from '../../meta/index.ts';
import { type SurveyedJson, surveyJsonText } from './encode-json.ts';

/** The members of narrower lists and objects are visited one by one, because one of them may be wide. */
const narrowMax = 64;
/** The number of members of a wide list or object that one step writes. */
const runLength = 256;
/** The number of keys of a wide object that one step looks at. */
const keysPerStep = 4_096;
/** Deeper values are written in one step. */
const depthMax = 12;

/** The result of {@link surveyJsonText}, computed in steps: wide lists and objects are written in runs of members. */
export function* surveyJsonInSteps(value: JsonValue): Steps<SurveyedJson> {
  const writer = new SteppedWriter();
  yield* writer.write(value, 0);
  return { text: writer.parts.join(''), isPlain: writer.isPlain };
}

class SteppedWriter {
  readonly parts: string[] = [];
  isPlain = true;

  *write(value: JsonValue, depth: number): Steps<void> {
    if (depth <= depthMax && Array.isArray(value)) yield* this.#list(value, depth);
    else if (depth <= depthMax && isObject(value)) yield* this.#object(value, depth);
    else this.parts.push(this.#text(value));
  }

  *#list(list: JsonValue[], depth: number): Steps<void> {
    this.parts.push('[');
    if (list.length <= narrowMax) {
      for (const [index, item] of list.entries()) {
        if (index > 0) this.parts.push(',');
        yield* this.write(item, depth + 1);
      }
    } else {
      for (let from = 0; from < list.length; from += runLength) {
        if (from > 0) this.parts.push(',');
        this.parts.push(this.#text(list.slice(from, from + runLength)).slice(1, -1));
        yield;
      }
    }
    this.parts.push(']');
  }

  *#object(object: JsonObject, depth: number): Steps<void> {
    const keys = yield* sortedKeys(object);
    if (keys.length > narrowMax) return yield* this.#wide(object, keys);
    let separator = '{';
    for (const key of keys) {
      const member = own(object, key);
      if (member === undefined) continue;
      this.parts.push(separator, this.#text(key), ':');
      yield* this.write(member, depth + 1);
      separator = ',';
    }
    this.parts.push(separator === '{' ? '{}' : '}');
  }

  *#wide(object: JsonObject, keys: readonly string[]): Steps<void> {
    let separator = '{';
    for (let from = 0; from < keys.length; from += runLength) {
      const run: JsonObject = {};
      for (const key of keys.slice(from, from + runLength)) {
        const member = own(object, key);
        if (member !== undefined) put(run, key, member);
      }
      const text = this.#text(run);
      if (text === '{}') continue;
      this.parts.push(separator, text.slice(1, -1));
      separator = ',';
      yield;
    }
    this.parts.push(separator === '{' ? '{}' : '}');
  }

  #text(value: JsonValue): string {
    const { text, isPlain } = surveyJsonText(value);
    if (!isPlain) this.isPlain = false;
    return text;
  }
}

const surrogates = /[\ud800-\udfff]/;

/** In bytewise order, which is JavaScript's order if no key has a surrogate. */
function* sortedKeys(object: JsonObject): Steps<string[]> {
  const keys = Object.keys(object);
  let [isSorted, isPlain] = [true, true];
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? '';
    if (at > 0 && isSorted) isSorted = (keys[at - 1] ?? '') < key;
    if (isPlain) isPlain = !surrogates.test(key);
    if (at % keysPerStep === keysPerStep - 1) yield;
  }
  if (!isPlain) return yield* sortInSteps(keys, compareBytes);
  return isSorted ? keys : yield* sortInSteps(keys);
}
