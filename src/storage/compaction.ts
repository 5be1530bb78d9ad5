import type { Revision, Store } from './store.ts';

export interface CompactionOptions {
  /** Calls back at the interval until what it gives is called. */
  readonly repeat: (call: () => void) => () => void;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Forgets the past at an interval: what is older than one interval, but never more than that, so that a client that
 * saw a revision has at least that long to come back. Source: apiserver, storage/etcd3/compact.go.
 *
 * @returns what ends it
 */
export function compactPeriodically(store: Store, options: CompactionOptions): () => void {
  let previous: Revision | undefined;
  return options.repeat(async () => {
    try {
      const current = await store.revision();
      if (previous !== undefined) await store.compact(previous);
      previous = current;
    } catch (error) {
      options.onTrouble(error);
    }
  });
}
