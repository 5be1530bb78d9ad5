import type { KeyRange, Revision, Store, StoreEvent } from '../../storage/index.ts';
import { Change } from '../entries/change.ts';
import type { HistoryBatch } from './subscription.ts';
import { entryOf, ViewEntry } from '../entries/view-entry.ts';

/**
 * The changes of a range after a revision, read from the storage's log: for a subscription that starts before the
 * event window. Its entries are not shared with other watchers.
 *
 * Throws the storage's `compacted` if the log does not go back far enough.
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
