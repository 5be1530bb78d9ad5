import type { ResourceVersion } from '../../crd/index.ts';
import type { KubeObject } from '../../meta/index.ts';

/** Brings objects from the form in which they are stored into a served version and back, in place. */
export interface Converter {
  fromStored(object: KubeObject, version: ResourceVersion): void;
  toStored(object: KubeObject): void;
  /** True where objects are stored in a shape that no version of theirs has: stored bytes are never shown then. */
  readonly reshapes?: boolean;
  /** True for a built-in kind whose objects are complete when they are stored; those of others are completed when read. */
  readonly storesComplete?: boolean;
}
