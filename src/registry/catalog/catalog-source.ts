import type { GroupVersionResource } from '../../meta/index.ts';
import type { Freshness } from '../resource/freshness.ts';
import type { Served } from '../resource/served.ts';
import type { Catalog } from './catalog.ts';

/** The latest catalog, and the revision of the storage that was asked for to know it. */
export interface LatestCatalog {
  readonly catalog: Catalog;
  readonly revision: number;
}

/** A resource and the minimum freshness of its objects for the current request. */
export interface Found extends Served {
  readonly freshness: Freshness;
}

/** Provides the current catalog. */
export interface CatalogSource {
  /** The catalog, after it includes every write that was acknowledged before the call. */
  latest(): Promise<LatestCatalog>;
  /** The same catalog if it is available without waiting. */
  readonly latestNow: LatestCatalog | undefined;
  /** The same catalog, or the cached one if the storage does not answer soon. */
  available(): Promise<Catalog>;
  /**
   * A catalog of at least the given revision, or the cached one if the storage does not deliver that revision soon. It
   * sends no request to the storage, unless that is cheap and makes the catalog {@link available} exactly.
   */
  atLeast(minRevision: number): Promise<Catalog>;
  /**
   * A resource of the cached catalog, for writes, with the preconditions under which it is the latest. Undefined if
   * the latest is available at no cost, or if the cache does not know enough.
   */
  cached(name: GroupVersionResource, namespace: string): Found | undefined;
  /** The current catalog. */
  readonly current: Catalog;
}
