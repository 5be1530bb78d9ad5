import type { GroupVersionResource } from '../../meta/index.ts';
import type { Guard } from '../../storage/index.ts';
import type { Served } from '../resource/served.ts';
import type { Catalog } from './catalog.ts';

/** The catalog, and the revision of the storage that was asked for to know it. */
export interface FreshCatalog {
  readonly catalog: Catalog;
  readonly asOf: number;
}

/** A resource that was found, and the revision of the storage that was asked for to find it, if it was. */
export interface Found extends Served {
  readonly asOf?: number;
}

/** A resource as it is at hand, and what must still be so when something is made there. */
export interface Guarded extends Served {
  readonly guards: readonly Guard[];
}

/** Where the catalog of the moment comes from. */
export interface CatalogSource {
  /** The catalog, once it shows everything that was acknowledged before the call. */
  fresh(): Promise<FreshCatalog>;
  /** The same, or the catalog as it is where the storage does not answer soon. */
  available(): Promise<Catalog>;
  /**
   * The catalog as of a revision at least, or as it is where the storage does not deliver that soon. It asks the storage
   * nothing, unless that is cheap and makes it {@link available} exactly.
   */
  atHand(revision: number): Promise<Catalog>;
  /** A resource as it is at hand, for writes; undefined where the latest is as cheap, or not all is known. */
  guarded(name: GroupVersionResource, namespace: string): Guarded | undefined;
  /** The catalog as it is now. */
  readonly current: Catalog;
}
