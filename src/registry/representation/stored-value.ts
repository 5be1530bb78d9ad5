import { decodeCanonicalJsonInSteps, decodeProtobuf } from '../../codec/index.ts';
import { atOnce, isObject, type KubeObject, type Steps } from '../../meta/index.ts';

/** What kube-apiserver puts in front of what it stores as protobuf: `k8s` and a zero byte. */
const protobufMark = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/**
 * The object that stored bytes hold. We write JSON; a kube-apiserver on the same etcd writes its built-in kinds, CRDs
 * among them, as protobuf, and reads both. Undefined for what is no object.
 *
 * @throws {DecodeError} for other bytes, and for kinds whose protobuf form is not known here
 */
export function decodeStoredValue(bytes: Uint8Array): KubeObject | undefined {
  return atOnce(decodeStoredValueInSteps(bytes));
}

/** {@link decodeStoredValue}, in steps where there are many bytes. */
export function* decodeStoredValueInSteps(bytes: Uint8Array): Steps<KubeObject | undefined> {
  const value = protobufMark.equals(bytes.subarray(0, 4))
    ? decodeProtobuf(bytes)
    : yield* decodeCanonicalJsonInSteps(bytes);
  return isObject(value) ? value : undefined;
}
