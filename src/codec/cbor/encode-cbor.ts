import { encode, type EncodeOptions, rfc8949EncodeOptions, Token, Type } from 'cborg';
import { Float64, type JsonValue } from '../../meta/index.ts';

/** Tag 55799, self-described CBOR: the first bytes of all of Kubernetes' CBOR. */
export const selfDescribed = Buffer.from([0xd9, 0xd9, 0xf7]);

/**
 * Encodes deterministic CBOR as Kubernetes does: strings and keys are byte strings, keys are sorted bytewise, floats
 * have the shortest width without loss, and the item has the tag of self-described CBOR.
 *
 * Source: k8s.io/apimachinery, pkg/runtime/serializer/cbor; RFC 8949, 4.2.1.
 */
export function encodeCbor(value: JsonValue): Buffer {
  return Buffer.concat([selfDescribed, encode(value, options)]);
}

/** A watch event. Its object has a tag of its own. */
export function encodeCborEvent(type: string, object: JsonValue): Buffer {
  return Buffer.concat([eventHead, encode(type, options), eventObject, encodeCbor(object)]);
}

const options: EncodeOptions = {
  ...rfc8949EncodeOptions,
  typeEncoders: {
    string: (text: string) => new Token(Type.bytes, Buffer.from(text)),
    Object: (value: unknown) => (value instanceof Float64 ? new Token(Type.float, value.valueOf()) : null),
    Number: (value: unknown) => new Token(Type.float, Number(value)),
  },
};

/** The head of a map of two, and its first key: `type` is before `object` because it is shorter. */
const eventHead = Buffer.concat([selfDescribed, Buffer.from([0xa2]), encode('type', options)]);
const eventObject = encode('object', options);
