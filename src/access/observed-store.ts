import type { CommitResult, Revision, Store } from '../storage/index.ts';

/** A write that the store has made; the value is null for a delete. */
export interface Committed {
  readonly key: string;
  readonly value: Uint8Array | null;
  readonly revision: Revision;
}

/**
 * The same store, which tells of the writes under some prefixes before whoever made them hears of it. What follows a watch
 * learns of a write at some later moment; what must hold for the request after the write is told in this way.
 */
export function observedStore(
  store: Store,
  prefixes: readonly string[],
  onCommitted: (committed: Committed) => void,
): Store {
  const told = async (result: Promise<CommitResult>, key: string, value: Uint8Array | null) => {
    const committed = await result;
    if (committed.ok) onCommitted({ key, value, revision: committed.revision });
    return committed;
  };
  return {
    get tellsTrueProgress() {
      return store.tellsTrueProgress;
    },
    revision: () => store.revision(),
    get knownRevision() {
      return store.knownRevision;
    },
    get: (key, options) => store.get(key, options),
    list: (range, options) => store.list(range, options),
    commit: (commit) => {
      const result = store.commit(commit);
      const { key, value } = commit;
      return prefixes.some((prefix) => key.startsWith(prefix)) ? told(result, key, value) : result;
    },
    compact: (revision) => store.compact(revision),
    compactRevision: () => store.compactRevision(),
    watch: (range, options) => store.watch(range, options),
    close: () => store.close(),
  };
}
