import type { DriverParts, OpenedStore, StoreView } from './driver.ts';
import { prefixRange, type Revision, type Store, type StoredRecord } from './store.ts';

const pageRecords = 500;

/** A view of a store that several servers may share: it is read in pages of one revision. */
export async function viewOfStore({ store }: OpenedStore, { root }: DriverParts): Promise<StoreView> {
  const revision = await store.revision();
  const records = recordsOf(store, { prefix: `${root}/`, revision });
  return { revision, records, close: () => store.close() };
}

/** @throws {StoreError} `compacted` where the pages take longer than the store keeps the past */
async function* recordsOf(
  store: Store,
  { prefix, revision }: { readonly prefix: string; readonly revision: Revision },
): AsyncGenerator<StoredRecord> {
  const { start, end } = prefixRange(prefix);
  for (let from = start; ; ) {
    const { records, more } = await store.list(
      { start: from, end },
      { revision, limit: pageRecords, counted: false },
    );
    yield* records;
    const last = records.at(-1);
    if (!more || last === undefined) return;
    from = `${last.key}\0`;
  }
}
