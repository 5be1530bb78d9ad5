import type { CommitResult, Revision, Store } from '../storage/index.ts';

/** A completed write; the value is null for a delete. */
export interface Committed {
  readonly key: string;
  readonly value: Uint8Array | null;
  readonly revision: Revision;
}

/**
 * Wraps a store to report writes below some prefixes before they are acknowledged. A watch reports a write at some
 * later time; rules that must apply to the next request are reported this way.
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
