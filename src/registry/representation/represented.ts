import type { JsonAnatomy } from '../../codec/index.ts';
import type { ResourceType, ResourceVersion } from '../../crd/index.ts';
import type { KubeObject } from '../../meta/index.ts';
import type { ResourceConverter } from './convert.ts';
import type { NoOpApply } from './no-op-apply.ts';
import type { RecentObjects } from './recent-objects.ts';

/** A resource in one of its versions: what is needed to encode, decode and convert an object. */
export interface Represented {
  readonly resource: RepresentedResource;
  readonly type: ResourceType;
  readonly version: ResourceVersion;
}

/** The part of a resource that representations need. */
export interface RepresentedResource {
  readonly converter: ResourceConverter;
  readonly fields: { noteOwn(object: KubeObject): void };
  /** Recently written objects of all resources of the store, by revision. */
  readonly recent: RecentObjects;
  /** Records facts about the bytes stored at a revision. */
  recordWrite(revision: number, record: WriteRecord): void;
  /** The recorded facts about the bytes stored at a revision, if they are normalized for a version. */
  writeRecordOf(revision: number, version: ResourceVersion): WriteRecord | undefined;
}

/** The facts that a write knows about its stored bytes. */
export interface WriteRecord {
  /** The version for which they are normalized. */
  readonly version: ResourceVersion;
  /** The offsets of their large parts; undefined for small objects. */
  readonly anatomy: JsonAnatomy | undefined;
  /** Applies known not to change the object. */
  readonly noOpApplies: readonly NoOpApply[] | undefined;
}
