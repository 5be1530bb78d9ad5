import type { KeyRange, Revision, Store, StoreEvent } from '../../storage/index.ts';
import { Change } from '../entries/change.ts';
import type { HistoryBatch } from './subscription.ts';
import { entryOf, ViewEntry } from '../entries/view-entry.ts';

/**
 * The changes of a range from a revision on, read from the storage's own log: for a subscription that begins before
 * the window does. Its entries are its own, so nothing is shared with other watchers.
 *
 * Throws the storage's `compacted` where the log does not go back so far.
 */
export async function* readHistory<M>(
  store: Store,
  range: KeyRange,
  options: { readonly after: Revision; readonly signal: AbortSignal },
): AsyncGenerator<HistoryBatch<M>, undefined> {
  const watch = store.watch(range, options);
  try {
    watch.requestProgress();
    for await (const message of watch) {
      yield { changes: message.events.map((event) => changeOf<M>(event)), revision: message.revision };
    }
  } finally {
    watch.close();
  }
  return undefined;
}

function changeOf<M>(event: StoreEvent): Change<M> {
  const { key, revision, value, previous } = event;
  return new Change<M>(key, {
    revision,
    entry: value === undefined ? undefined : new ViewEntry(key, revision, value),
    previous: previous === undefined ? undefined : entryOf(previous),
    atMs: 0,
  });
}
