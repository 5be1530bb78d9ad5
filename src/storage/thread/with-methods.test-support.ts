import type { Store } from '../store.ts';

/** A store with some methods replaced. */
export function withMethods(store: Store, methods: Partial<Store>): Store {
  return {
    tellsTrueProgress: true,
    get knownRevision() {
      return store.knownRevision;
    },
    revision: () => store.revision(),
    get: (key, options) => store.get(key, options),
    list: (range, options) => store.list(range, options),
    commit: (commit) => store.commit(commit),
    watch: (range, options) => store.watch(range, options),
    compact: (revision) => store.compact(revision),
    compactRevision: () => store.compactRevision(),
    close: () => store.close(),
    ...methods,
  };
}
