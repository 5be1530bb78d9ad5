import { decodeCanonicalJsonInSteps, decodeProtobuf } from '../../codec/index.ts';
import { atOnce, isObject, type KubeObject, type Steps } from '../../meta/index.ts';

/** The prefix of kube-apiserver's stored protobuf: `k8s` and a zero byte. */
const protobufMark = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/**
 * Decodes stored bytes. Ilk writes JSON; a kube-apiserver on the same etcd writes its built-in kinds, including CRDs,
 * as protobuf, and reads both. Undefined for bytes that are not an object.
 *
 * @throws {DecodeError} for other bytes, and for kinds without a known protobuf form
 */
export function decodeStoredValue(bytes: Uint8Array): KubeObject | undefined {
  return atOnce(decodeStoredValueInSteps(bytes));
}

/** {@link decodeStoredValue}, as steps if there are many bytes. */
export function* decodeStoredValueInSteps(bytes: Uint8Array): Steps<KubeObject | undefined> {
  const value = protobufMark.equals(bytes.subarray(0, 4))
    ? decodeProtobuf(bytes)
    : yield* decodeCanonicalJsonInSteps(bytes);
  return isObject(value) ? value : undefined;
}
