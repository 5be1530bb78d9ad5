import { mapWatch } from './map-watch.ts';
import type { Commit, CommitResult, Store, StoredRecord, StoreEvent, StoreWatch } from './store.ts';

/** How values stand in a store, where that is not how they are used. */
export interface ValueTransform {
  /** The value as it is used. What it throws, reads and watches throw. It gives its argument where nothing changes. */
  read(value: Uint8Array, key: string): Uint8Array;
  /** The value as it is stored. */
  write(value: Uint8Array, key: string): Uint8Array;
}

/** A store whose values stand otherwise in the store below. */
export function transformedStore(store: Store, transform: ValueTransform): Store {
  const readRecord = (record: StoredRecord): StoredRecord => {
    const value = transform.read(record.value, record.key);
    return value === record.value ? record : { ...record, value };
  };
  const readEvent = (event: StoreEvent): StoreEvent => {
    const value = event.value && transform.read(event.value, event.key);
    const previous = event.previous && readRecord(event.previous);
    return value === event.value && previous === event.previous ? event : { ...event, value, previous };
  };
  return {
    get tellsTrueProgress() {
      return store.tellsTrueProgress;
    },
    revision: () => store.revision(),
    get knownRevision() {
      return store.knownRevision;
    },
    async get(key, options) {
      const { record, revision } = await store.get(key, options);
      return { record: record && readRecord(record), revision };
    },
    async list(range, options) {
      const found = await store.list(range, options);
      return { ...found, records: found.records.map(readRecord) };
    },
    async commit(commit) {
      return readResult(await store.commit(written(commit, transform)), readRecord);
    },
    compact: (revision) => store.compact(revision),
    compactRevision: () => store.compactRevision(),
    watch: (range, options) => readWatch(store.watch(range, options), readEvent),
    close: () => store.close(),
  };
}

function written(commit: Commit, transform: ValueTransform): Commit {
  if (commit.value === null) return commit;
  const value = transform.write(commit.value, commit.key);
  return value === commit.value ? commit : { ...commit, value };
}

function readResult(result: CommitResult, read: (record: StoredRecord) => StoredRecord): CommitResult {
  if (result.ok || result.current === undefined) return result;
  return { ...result, current: read(result.current) };
}

function readWatch(watch: StoreWatch, read: (event: StoreEvent) => StoreEvent): StoreWatch {
  return mapWatch(watch, (message) =>
    message.events.length === 0 ? message : { ...message, events: message.events.map(read) },
  );
}
