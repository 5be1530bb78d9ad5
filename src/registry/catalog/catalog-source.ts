import type { GroupVersionResource } from '../../meta/index.ts';
import type { Freshness } from '../resource/freshness.ts';
import type { Served } from '../resource/served.ts';
import type { Catalog } from './catalog.ts';

/** The latest catalog, and the revision of the storage that was asked for to know it. */
export interface LatestCatalog {
  readonly catalog: Catalog;
  readonly revision: number;
}

/** A resource that was found, and how fresh its objects must be for the request that looked for it. */
export interface Found extends Served {
  readonly freshness: Freshness;
}

/** Where the catalog of the moment comes from. */
export interface CatalogSource {
  /** The catalog, once it shows everything that was acknowledged before the call. */
  latest(): Promise<LatestCatalog>;
  /** The same, where it need not be waited for. */
  readonly latestNow: LatestCatalog | undefined;
  /** The same, or the catalog as it is where the storage does not answer soon. */
  available(): Promise<Catalog>;
  /**
   * The catalog as of a revision at least, or as it is where the storage does not deliver that soon. It asks the storage
   * nothing, unless that is cheap and makes it {@link available} exactly.
   */
  atLeast(minRevision: number): Promise<Catalog>;
  /**
   * A resource of the cached catalog, for writes, with the preconditions under which it is the latest; undefined where
   * asking for the latest costs nothing, or the cache does not know enough.
   */
  cached(name: GroupVersionResource, namespace: string): Found | undefined;
  /** The catalog as it is now. */
  readonly current: Catalog;
}
