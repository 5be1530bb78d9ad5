import type { JsonAnatomy } from '../../codec/index.ts';
import type { ResourceType, ResourceVersion } from '../../crd/index.ts';
import type { KubeObject } from '../../meta/index.ts';
import type { ResourceConverter } from './convert.ts';
import type { NoOpApply } from './no-op-apply.ts';
import type { RecentObjects } from './recent-objects.ts';

/** A resource in one of its versions: what it takes to encode, decode and convert an object. */
export interface Represented {
  readonly resource: RepresentedResource;
  readonly type: ResourceType;
  readonly version: ResourceVersion;
}

/** The part of a resource that representations are made with. */
export interface RepresentedResource {
  readonly converter: ResourceConverter;
  readonly fields: { noteOwn(object: KubeObject): void };
  /** The objects that were written last, of all resources of the store, by revision. */
  readonly recent: RecentObjects;
  /** Remembers what is known of the bytes that were just stored at a revision. */
  recordWrite(revision: number, record: WriteRecord): void;
  /** What is known of the bytes stored at a revision, if they are known to have the shape of a version. */
  writeRecordOf(revision: number, version: ResourceVersion): WriteRecord | undefined;
}

/** What a write knows of the bytes that it stored. */
export interface WriteRecord {
  /** They have the shape of this version. */
  readonly version: ResourceVersion;
  /** Where what is large in them stands; undefined for small objects. */
  readonly anatomy: JsonAnatomy | undefined;
  /** Applies that are known to change nothing in it. */
  readonly noOpApplies: readonly NoOpApply[] | undefined;
}
