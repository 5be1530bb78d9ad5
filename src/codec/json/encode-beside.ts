import {
  atOnce,
  compareBytes,
  Float64,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  type Steps,
} from '../../meta/index.ts';
import { surveyJsonInSteps } from './encode-in-steps.ts';
import { type SurveyedJson, surveyJsonText } from './encode-json.ts';

/** A part of a JSON text that is an object or a list, and its sub-parts. Scalars are not parts. */
export interface JsonPart {
  /** The offset in bytes from the start of the parent part. */
  readonly offset: number;
  readonly length: number;
  /** By key or index; undefined if not analysed. */
  readonly parts: ReadonlyMap<string | number, JsonPart> | undefined;
}

/** What is known about canonical JSON without scanning it again. */
export interface JsonAnatomy {
  readonly root: JsonPart;
  /** True if `JSON.parse` reads all its numbers as `decodeJson` does. */
  readonly isPlain: boolean;
}

/** A value and its canonical JSON. */
interface KnownJson {
  readonly value: JsonValue;
  readonly bytes: Uint8Array;
  readonly anatomy: JsonAnatomy;
}

export interface WrittenJson {
  readonly bytes: Buffer;
  readonly anatomy: JsonAnatomy;
}

/** The maximum depth of parts: the depth of the field sets in the metadata of a Kubernetes object. */
const depthMax = 4;
/** Wider objects and lists are not divided: `JSON.stringify` is faster than visiting their members. */
const widthMax = 32;

/**
 * Encodes canonical JSON of a value that shares objects and lists with another one: parts that are the same reference
 * at the same place are copied from the other's bytes. Writes usually change little of a large object, and copying is
 * cheap. The bytes are those of `encodeJson`.
 *
 * @param known if absent, everything is encoded, and the anatomy recorded for the next time
 */
export function encodeBeside(value: JsonValue, known?: KnownJson): WrittenJson {
  return atOnce(write(new PartWriter(known?.bytes, surveyAtOnce), value, known));
}

/** {@link encodeBeside}, in steps. */
export function encodeBesideInSteps(value: JsonValue, known?: KnownJson): Steps<WrittenJson> {
  return write(new PartWriter(known?.bytes, surveyJsonInSteps), value, known);
}

/** Native code is faster if other requests need not run in between. */
function* surveyAtOnce(value: JsonValue): Steps<SurveyedJson> {
  const surveyed = surveyJsonText(value);
  yield;
  return surveyed;
}

function* write(writer: PartWriter, value: JsonValue, known: KnownJson | undefined): Steps<WrittenJson> {
  // The bytes of a value that is not plain are not copied: `-0` was decoded as 0.
  const twin =
    known?.anatomy.isPlain === true ? { value: known.value, part: known.anatomy.root, at: 0 } : undefined;
  const root = yield* writer.part(value, { twin, depth: 0, around: 0 });
  return { bytes: writer.finish(), anatomy: { root, isPlain: writer.isPlain } };
}

/** The other value at a place, and its position in the bytes. */
interface Twin {
  readonly value: JsonValue;
  readonly part: JsonPart;
  /** The offset from the start of the bytes. */
  readonly at: number;
}

/** The position of a part. */
interface Place {
  readonly twin: Twin | undefined;
  readonly depth: number;
  /** The start of the parent part. */
  readonly around: number;
}

/** Writes a value that is not divided into parts. */
type Survey = (value: JsonValue) => Steps<SurveyedJson>;

type Parts = Map<string | number, JsonPart>;

class PartWriter {
  isPlain = true;
  readonly #known: Uint8Array;
  readonly #survey: Survey;
  readonly #pieces: (string | Uint8Array)[] = [];
  #length = 0;

  constructor(known: Uint8Array = Buffer.alloc(0), survey: Survey = surveyAtOnce) {
    this.#known = known;
    this.#survey = survey;
  }

  /** Writes an object or a list. */
  *part(value: JsonValue, place: Place): Steps<JsonPart> {
    const start = this.#length;
    const { twin, around } = place;
    const parts = twin?.value === value ? this.#copy(twin) : yield* this.#write(value, place);
    return { offset: start - around, length: this.#length - start, parts };
  }

  #copy({ part, at }: Twin): JsonPart['parts'] {
    this.#pieces.push(this.#known.subarray(at, at + part.length));
    this.#length += part.length;
    return part.parts;
  }

  *#write(value: JsonValue, place: Place): Steps<JsonPart['parts']> {
    if (place.depth < depthMax) {
      if (Array.isArray(value) && value.length <= widthMax) return yield* this.#list(value, place);
      if (isObject(value)) {
        const keys = Object.keys(value);
        if (keys.length <= widthMax) return yield* this.#object(value, keys, place);
      }
    }
    const { text, isPlain } = yield* this.#survey(value);
    if (!isPlain) this.isPlain = false;
    this.#text(text);
    return undefined;
  }

  *#object(object: JsonObject, keys: string[], place: Place): Steps<Parts> {
    const parts: Parts = new Map();
    const start = this.#length;
    let separator = '{';
    for (const key of keys.sort(compareBytes)) {
      this.#text(separator);
      this.#whole(key);
      this.#text(':');
      yield* this.#member(parts, key, own(object, key) ?? null, { ...place, around: start });
      separator = ',';
    }
    this.#text(separator === '{' ? '{}' : '}');
    return parts;
  }

  *#list(list: readonly JsonValue[], place: Place): Steps<Parts> {
    const parts: Parts = new Map();
    const start = this.#length;
    let separator = '[';
    for (const [index, item] of list.entries()) {
      this.#text(separator);
      yield* this.#member(parts, index, item, { ...place, around: start });
      separator = ',';
    }
    this.#text(separator === '[' ? '[]' : ']');
    return parts;
  }

  *#member(
    parts: Parts,
    step: string | number,
    value: JsonValue,
    { twin, depth, around }: Place,
  ): Steps<void> {
    if (typeof value !== 'object' || value === null || value instanceof Float64) {
      this.#whole(value);
      return;
    }
    const below = { twin: twinBelow(twin, step), depth: depth + 1, around };
    parts.set(step, yield* this.part(value, below));
  }

  #whole(value: JsonValue): void {
    const { text, isPlain } = surveyJsonText(value);
    if (!isPlain) this.isPlain = false;
    this.#text(text);
  }

  #text(text: string): void {
    this.#pieces.push(text);
    this.#length += Buffer.byteLength(text);
  }

  /** The whole text, in a new buffer. */
  finish(): Buffer {
    const whole = Buffer.allocUnsafeSlow(this.#length);
    let at = 0;
    let pending = '';
    for (const piece of this.#pieces) {
      if (typeof piece === 'string') {
        pending += piece;
        continue;
      }
      at += whole.write(pending, at);
      pending = '';
      whole.set(piece, at);
      at += piece.length;
    }
    whole.write(pending, at);
    return whole;
  }
}

function twinBelow(twin: Twin | undefined, step: string | number): Twin | undefined {
  if (twin === undefined) return undefined;
  const part = twin.part.parts?.get(step);
  const { value } = twin;
  const below =
    typeof step === 'number' ? Array.isArray(value) && value[step] : isObject(value) && own(value, step);
  if (part === undefined || typeof below !== 'object') return undefined;
  return { value: below, part, at: twin.at + part.offset };
}
