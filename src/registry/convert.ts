import type { ResourceType, ResourceVersion } from '../crd/index.ts';
import { formatGroupVersion, type KubeObject } from '../meta/index.ts';

/** Brings objects from the form in which they are stored into a served version and back, in place. */
export interface Converter {
  fromStored(object: KubeObject, version: ResourceVersion): void;
  toStored(object: KubeObject): void;
  /** True where objects are stored in a shape that no version of theirs has: stored bytes are never shown then. */
  readonly reshapes?: boolean;
}

/** Strategy `None`: versions differ in name only, so that only the apiVersion is rewritten. */
export function renamingConverter(type: ResourceType): Converter {
  const rename = (object: KubeObject, version: ResourceVersion) => {
    object['apiVersion'] = formatGroupVersion(type.group, version.name);
  };
  return { fromStored: rename, toStored: (object) => rename(object, type.storageVersion) };
}
