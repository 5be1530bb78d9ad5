import { Tokenizer, type Token, Type } from 'cborg';
import { Float64, goQuote, type JsonObject, type JsonValue, limits, put } from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';

/**
 * Decodes one CBOR item as Kubernetes does: byte strings become strings; duplicate keys and values without a JSON
 * form are refused. An integral float becomes a {@link Float64}.
 *
 * Source: k8s.io/apimachinery, pkg/runtime/serializer/cbor/internal/modes/decode.go. Unlike upstream, strings of
 * indefinite length are refused.
 *
 * @throws {DecodeError} for anything but one item, and beyond the limits
 */
export function decodeCbor(bytes: Uint8Array): JsonValue {
  try {
    const reader = new CborReader(bytes);
    const value = reader.value();
    reader.end();
    return value;
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    if (error instanceof RangeError) throw tooDeep();
    throw new DecodeError(`cbor: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

/** Tags that set how bytes are written as text. */
const textEncodings: ReadonlyMap<unknown, BufferEncoding> = new Map([
  [21, 'base64url'],
  [22, 'base64'],
  [23, 'hex'],
]);

const bignumTags: ReadonlySet<unknown> = new Set([2, 3]);

class CborReader {
  readonly #tokens: Tokenizer;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#tokens = new Tokenizer(bytes, { allowIndefinite: true, allowBigInt: true });
  }

  end(): void {
    if (!this.#tokens.done()) throw new DecodeError('cbor: extraneous data after the first item');
  }

  value(): JsonValue {
    return this.#valueOf(this.#next());
  }

  #next(): Token {
    if (this.#tokens.done()) throw new DecodeError('unexpected EOF');
    return this.#tokens.next();
  }

  #valueOf(token: Token): JsonValue {
    const { type, value } = token;
    if (is(type, Type.bytes)) return Buffer.from(value).toString('utf8');
    if (is(type, Type.string)) return String(value);
    if (is(type, Type.uint) || is(type, Type.negint)) return integer(value);
    if (is(type, Type.float)) return float(Number(value));
    if (is(type, Type.true)) return true;
    if (is(type, Type.false)) return false;
    if (is(type, Type.null)) return null;
    if (is(type, Type.map)) return this.#nested(() => this.#map(Number(value)));
    if (is(type, Type.array)) return this.#nested(() => this.#array(Number(value)));
    if (is(type, Type.tag)) return this.#nested(() => this.#tagged(value));
    throw new DecodeError(`cbor: cannot decode ${type.name}`);
  }

  #nested(read: () => JsonValue): JsonValue {
    this.#depth += 1;
    if (this.#depth > limits.nestingDepthMax) throw tooDeep();
    const value = read();
    this.#depth -= 1;
    return value;
  }

  /** The length is Infinity for an array that ends with a break. */
  #array(length: number): JsonValue[] {
    const items: JsonValue[] = [];
    while (items.length < length) {
      const token = this.#next();
      if (is(token.type, Type.break)) return ended(items, length);
      items.push(this.#valueOf(token));
    }
    return items;
  }

  #map(length: number): JsonObject {
    const object: JsonObject = {};
    for (let count = 0; count < length; count += 1) {
      const token = this.#next();
      if (is(token.type, Type.break)) return ended(object, length);
      if (!is(token.type, Type.bytes) && !is(token.type, Type.string))
        throw new DecodeError(`cbor: cannot use ${token.type.name} as a key`);
      const key = String(this.#valueOf(token));
      if (Object.hasOwn(object, key)) throw new DecodeError(`cbor: found duplicate map key ${goQuote(key)}`);
      put(object, key, this.value());
    }
    return object;
  }

  #tagged(tag: unknown): JsonValue {
    if (bignumTags.has(tag)) throw new DecodeError('cbor: bignum is not allowed');
    const token = this.#next();
    const encoding = textEncodings.get(tag);
    if (encoding !== undefined && is(token.type, Type.bytes))
      return Buffer.from(token.value).toString(encoding);
    return this.#valueOf(token);
  }
}

function is(type: Type, other: Type): boolean {
  return Type.equals(type, other);
}

function ended<T>(value: T, length: number): T {
  if (length === Number.POSITIVE_INFINITY) return value;
  throw new DecodeError('cbor: unexpected "break" code');
}

function integer(value: number | bigint): JsonValue {
  const exact = BigInt(value);
  if (exact > int64Max || exact < int64Min)
    throw new DecodeError(`cbor: cannot unmarshal ${exact} into Go value of type int64`);
  const small = Number(exact);
  return Number.isSafeInteger(small) ? small : exact;
}

function float(value: number): JsonValue {
  if (!Number.isFinite(value)) throw new DecodeError('cbor: NaN and infinities are not allowed');
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? new Float64(value, String(value)) : value;
}

function tooDeep(): DecodeError {
  return new DecodeError(`cbor: exceeded max nested level ${limits.nestingDepthMax}`);
}
