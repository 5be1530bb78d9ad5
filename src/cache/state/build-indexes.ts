import { orderedKey } from '../entries/key-order.ts';
import type { ViewState } from './view-state.ts';
import type { IndexDefinition } from '../index/index-source.ts';
import { ValueIndex } from '../index/value-index.ts';

/** The number of entries processed before other tasks run: a few milliseconds if each must be decoded. */
const sliceEntries = 256;
/** After this many reloads or compactions of the view during the build, the indexes are given up. */
const attemptsMax = 3;

/**
 * Builds indexes of a view's entries, turn by turn, while the view changes, and hands them to the view once they have
 * caught up. If it fails, the view has no such indexes: it can still be scanned.
 */
export async function buildIndexes<M>(
  state: ViewState<M>,
  definitions: readonly IndexDefinition<M>[],
): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const indexes = definitions.map((definition) => new ValueIndex(definition));
    if (await buildOnce(state, indexes)) return;
  }
}

async function buildOnce<M>(state: ViewState<M>, indexes: readonly ValueIndex<M>[]): Promise<boolean> {
  const { generation, indexGeneration } = state;
  const snapshot = state.snapshot();
  let count = 0;
  for (const entry of snapshot.all()) {
    const key = orderedKey(entry.key);
    for (const index of indexes) index.change(key, undefined, entry);
    count += 1;
    if (count % sliceEntries === 0) await nextTurn();
    if (state.indexGeneration !== indexGeneration) return true;
  }
  if (state.generation !== generation || state.window.start > snapshot.revision) return false;
  for (const change of state.window.after(snapshot.revision, Number.POSITIVE_INFINITY)) {
    const key = orderedKey(change.key);
    for (const index of indexes) index.change(key, change.previous, change.entry);
  }
  state.addIndexes(indexes);
  return true;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
