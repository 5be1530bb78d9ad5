import { encodeJson } from '../codec/index.ts';
import { type KubeObject, metadataOf } from '../meta/index.ts';
import type { Converter } from './convert.ts';

/**
 * The bytes of an object as it is stored: in the storage version, without resourceVersion. The object itself stays
 * as it is. Equal objects give equal bytes, so that a write that changes nothing can be told by comparing.
 */
export function encodeStored(object: KubeObject, converter: Converter): Buffer {
  const stored = withoutResourceVersion(object);
  converter.toStored(stored);
  const encoded = encodeJson(stored);
  const exact = Buffer.allocUnsafeSlow(encoded.length);
  exact.set(encoded);
  return exact;
}

/** A copy without resourceVersion; everything below root and metadata is shared. */
export function withoutResourceVersion(object: KubeObject): KubeObject {
  const metadata = { ...metadataOf(object) };
  delete metadata['resourceVersion'];
  return { ...object, metadata };
}
