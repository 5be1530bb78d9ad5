import {
  DecodeError,
  decodeCanonicalJson,
  decodeCbor,
  encodeCbor,
  encodeJson,
  selfDescribed,
} from '../codec/index.ts';
import { type Store, transformedStore } from '../storage/index.ts';

/**
 * A store of JSON on top of one that may contain custom resources in CBOR. CBOR values are always read, whether or
 * not they are written, as in Kubernetes, so that the feature gate can be switched off again.
 *
 * @param writes whether custom resources are written as CBOR
 */
export function cborStorage(store: Store, { writes }: { readonly writes: boolean }): Store {
  return transformedStore(store, {
    read: readValue,
    write: (value, key) => (writes && customKey.test(key) ? encodeCbor(decodeCanonicalJson(value)) : value),
  });
}

/** Keys of custom resources contain the group, which has a dot; of the built-in kinds, only CRDs have such a key. */
const customKey = /^\/registry\/(?!apiextensions\.k8s\.io\/)[^/]*\.[^/]*\//;

/** Converts the bytes to JSON; bytes that do not decode stay unchanged, for the caller to report. */
function readValue(bytes: Uint8Array): Uint8Array {
  if (!selfDescribed.equals(bytes.subarray(0, selfDescribed.length))) return bytes;
  try {
    return encodeJson(decodeCbor(bytes));
  } catch (error) {
    if (error instanceof DecodeError) return bytes;
    throw error;
  }
}
