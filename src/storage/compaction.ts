import type { Revision, Store } from './store.ts';

export interface CompactionOptions {
  /** Calls back `times` per interval (once by default), until the returned function is called. */
  readonly repeat: (call: () => void, times?: number) => () => void;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Compacts periodically. Only revisions older than one interval are removed, so a client can resume from a revision for
 * at least one interval. Source: apiserver, storage/etcd3/compact.go.
 *
 * @returns a function that stops the compaction
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
