import { type KubeObject, metadataOf } from '../../meta/index.ts';

/** A copy of an object whose root and metadata may be changed; everything below is shared. */
export function withOwnMetadata(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...metadataOf(object) } };
}
