import {
  atOnce,
  Float64,
  goQuote,
  type JsonObject,
  type JsonValue,
  limits,
  put,
  type Steps,
} from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';
import { DuplicateFields, type IsLenientAt } from './duplicate-fields.ts';
import { parseNumber } from './json-number.ts';
import { goUtf8, wellFormed } from './json-text.ts';

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
/** This many bytes take a few milliseconds. */
const stepBytes = 16 * 1024;
/** The characters after a backslash: `"` `/` `\` b f n r t; `u` is followed by four digits. */
const escapes = new Set([...'"/\\bfnrt'].map((char) => char.charCodeAt(0)));

interface JsonParserOptions {
  /** Where duplicate keys are allowed. */
  readonly isLenientAt?: IsLenientAt | undefined;
  /**
   * If true, a number that would be encoded differently becomes a `Float64` with its text; for messages, not for
   * storage.
   */
  readonly numbersAsWritten?: boolean;
}

/**
 * Parses JSON byte by byte as `sigs.k8s.io/json` does, with the same error messages, duplicate fields and numbers. It
 * is slow; {@link decodeJson} uses it only for texts that `JSON.parse` may read differently.
 */
export class JsonParser {
  readonly duplicates: DuplicateFields;
  readonly #bytes: Uint8Array;
  readonly #numbersAsWritten: boolean;
  #at = 0;
  /** Where the last step ended. */
  #steppedAt = 0;
  #depth = 0;
  #overflow: DecodeError | undefined;

  constructor(bytes: Uint8Array, { isLenientAt, numbersAsWritten = false }: JsonParserOptions = {}) {
    this.#bytes = bytes;
    this.#numbersAsWritten = numbersAsWritten;
    this.duplicates = new DuplicateFields(isLenientAt);
  }

  /** @throws {DecodeError} for text that is not JSON, or a number that overflows float64. */
  parse(): JsonValue {
    return atOnce(this.parseInSteps());
  }

  /** {@link parse}, in steps of some thousand bytes. */
  *parseInSteps(): Steps<JsonValue> {
    this.#skipSpace();
    const value = yield* this.#value();
    this.#skipSpace();
    if (this.#at < this.#bytes.length) throw this.#invalid('after top-level value');
    // A type error is reported only for a text that is well formed to its end.
    if (this.#overflow !== undefined) throw this.#overflow;
    return value;
  }

  *#value(): Steps<JsonValue> {
    const byte = this.#bytes[this.#at];
    if (byte !== 0x7b && byte !== 0x5b) return this.#scalar(byte);
    this.#depth += 1;
    if (this.#depth > limits.nestingDepthMax) throw this.#invalid('exceeded max depth');
    this.#at += 1;
    this.#skipSpace();
    const value = yield* byte === 0x7b ? this.#object() : this.#array();
    this.#depth -= 1;
    return value;
  }

  #scalar(byte: number | undefined): JsonValue {
    switch (byte) {
      case quote:
        return this.#string();
      case 0x74:
        return this.#literal('true', true);
      case 0x66:
        return this.#literal('false', false);
      case 0x6e:
        return this.#literal('null', null);
      default:
        return this.#number();
    }
  }

  /** True if a step's worth of bytes was read. */
  #isStep(): boolean {
    if (this.#at - this.#steppedAt < stepBytes) return false;
    this.#steppedAt = this.#at;
    return true;
  }

  *#object(): Steps<JsonObject> {
    const object: JsonObject = {};
    const repeated = new Set<string>();
    if (this.#take(0x7d)) return object;
    for (;;) {
      if (this.#isStep()) yield;
      if (this.#bytes[this.#at] !== quote) throw this.#invalid('looking for beginning of object key string');
      const key = this.#string();
      this.#skipSpace();
      if (!this.#take(0x3a)) throw this.#invalid('after object key');
      if (Object.hasOwn(object, key) && !repeated.has(key)) {
        repeated.add(key);
        this.duplicates.report(key);
      }
      this.#skipSpace();
      this.duplicates.enter(key);
      put(object, key, yield* this.#value());
      this.duplicates.leave();
      this.#skipSpace();
      if (this.#take(0x7d)) return object;
      if (!this.#take(0x2c)) throw this.#invalid('after object key:value pair');
      this.#skipSpace();
    }
  }

  *#array(): Steps<JsonValue[]> {
    const array: JsonValue[] = [];
    if (this.#take(0x5d)) return array;
    for (;;) {
      if (this.#isStep()) yield;
      this.duplicates.enter(array.length);
      array.push(yield* this.#value());
      this.duplicates.leave();
      this.#skipSpace();
      if (this.#take(0x5d)) return array;
      if (!this.#take(0x2c)) throw this.#invalid('after array element');
      this.#skipSpace();
    }
  }

  #string(): string {
    const start = this.#at + 1;
    this.#at = start;
    let escaped = false;
    for (let byte = this.#bytes[this.#at]; byte !== quote; byte = this.#bytes[this.#at]) {
      if (byte === undefined) throw new DecodeError('unexpected end of JSON input');
      if (byte < space) throw this.#invalid('in string literal');
      this.#at += 1;
      if (byte !== backslash) continue;
      escaped = true;
      this.#escape();
    }
    const text = goUtf8(this.#bytes.subarray(start, this.#at));
    this.#at += 1;
    if (!escaped) return text;
    const plain: unknown = JSON.parse(`"${text}"`);
    return wellFormed(String(plain));
  }

  #escape(): void {
    if (escapes.has(this.#bytes[this.#at] ?? 0)) {
      this.#at += 1;
      return;
    }
    if (this.#bytes[this.#at] !== 0x75) throw this.#invalidInside('in string escape code');
    this.#at += 1;
    for (let digit = 0; digit < 4; digit += 1) {
      if (!isHexDigit(this.#bytes[this.#at])) {
        throw this.#invalidInside('in \\u hexadecimal character escape');
      }
      this.#at += 1;
    }
  }

  #literal<T extends JsonValue>(word: string, value: T): T {
    for (let index = 1; index < word.length; index += 1) {
      this.#at += 1;
      if (this.#bytes[this.#at] === word.charCodeAt(index)) continue;
      throw this.#invalidInside(`in literal ${word} (expecting ${quoteByte(word.charCodeAt(index))})`);
    }
    this.#at += 1;
    return value;
  }

  #number(): JsonValue {
    const start = this.#at;
    if (this.#bytes[start] === 0x2d) this.#at += 1;
    if (!isDigit(this.#bytes[this.#at])) {
      if (start === this.#at) throw this.#invalid('looking for beginning of value');
      throw this.#invalidInside('in numeric literal');
    }
    if (this.#bytes[this.#at] === 0x30) this.#at += 1;
    else this.#digits('in numeric literal');
    if (this.#take(0x2e)) this.#digits('after decimal point in numeric literal');
    if (this.#take(0x65) || this.#take(0x45)) {
      if (!this.#take(0x2b)) this.#take(0x2d);
      this.#digits('in exponent of numeric literal');
    }
    const text = Buffer.from(this.#bytes.subarray(start, this.#at)).toString('latin1');
    const value = parseNumber(text);
    if (this.#numbersAsWritten && String(value) !== text) return new Float64(Number(text), text);
    if (value !== undefined) return value;
    this.#overflow ??= new DecodeError(`json: cannot unmarshal number ${text} into Go value of type float64`);
    return null;
  }

  #digits(context: string): void {
    if (!isDigit(this.#bytes[this.#at])) throw this.#invalidInside(context);
    while (isDigit(this.#bytes[this.#at])) this.#at += 1;
  }

  #take(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte !== space && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.#at += 1;
    }
  }

  #invalid(context: string): DecodeError {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) return new DecodeError('unexpected end of JSON input');
    return new DecodeError(`invalid character ${quoteByte(byte)} ${context}`);
  }

  /** Go appends a space to check whether the last token is complete, and the error names that space. */
  #invalidInside(context: string): DecodeError {
    return new DecodeError(`invalid character ${quoteByte(this.#bytes[this.#at] ?? space)} ${context}`);
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}

/** A byte in Go's quotes: `'x'`, `'\''`; beyond ASCII as Latin-1: `'ï'` for the first byte of a BOM. */
function quoteByte(byte: number): string {
  if (byte === 0x27) return "'\\''";
  if (byte === quote) return `'"'`;
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
