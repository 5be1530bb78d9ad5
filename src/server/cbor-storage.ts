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
 * A store of JSON on one that may have custom resources in CBOR: what is in CBOR is read as JSON, whether or not it is
 * written so. Kubernetes does the same, so that its gate can be switched off again.
 *
 * @param writes whether custom resources are written in CBOR
 */
export function cborStorage(store: Store, { writes }: { readonly writes: boolean }): Store {
  return transformedStore(store, {
    read: readValue,
    write: (value, key) => (writes && customKey.test(key) ? encodeCbor(decodeCanonicalJson(value)) : value),
  });
}

/** The keys of custom resources have their group, which has a dot; of the built-in kinds, only CRDs have theirs. */
const customKey = /^\/registry\/(?!apiextensions\.k8s\.io\/)[^/]*\.[^/]*\//;

/** The bytes in JSON; what cannot be read stays as it is, for whoever wants to know what it is. */
function readValue(bytes: Uint8Array): Uint8Array {
  if (!selfDescribed.equals(bytes.subarray(0, selfDescribed.length))) return bytes;
  try {
    return encodeJson(decodeCbor(bytes));
  } catch (error) {
    if (error instanceof DecodeError) return bytes;
    throw error;
  }
}
