import { type KubeObject, metadataOf } from '../../meta/index.ts';

/** A copy of an object with its own root and metadata; everything below is shared. */
export function withOwnMetadata(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...metadataOf(object) } };
}
