import { mapAwaiting } from './map-awaiting.ts';
import { mapWatch } from './map-watch.ts';
import type { Commit, CommitResult, Store, StoredRecord, StoreEvent, StoreWatch } from './store.ts';

/** The encoding of values in a store. */
export interface ValueTransform {
  /** Gets what {@link read} of this value needs, where that takes time; undefined where nothing does. It throws as read does. */
  prepare?(value: Uint8Array, key: string): Promise<void> | undefined;
  /** The value as it is used. What it throws, reads and watches throw. It gives its argument where nothing changes. */
  read(value: Uint8Array, key: string): Uint8Array;
  /** The value as it is stored. */
  write(value: Uint8Array, key: string): Uint8Array;
}

/** A store whose values are encoded in the store below. */
export function transformedStore(store: Store, transform: ValueTransform): Store {
  const readRecord = recordReader(transform);
  const readEvent = eventReader(transform);
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
      return { record: record && (await readRecord(record)), revision };
    },
    async list(range, options) {
      const found = await store.list(range, options);
      const records = mapAwaiting(found.records, readRecord);
      return { ...found, records: records instanceof Promise ? await records : records };
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

/** Reads a value: at once, where nothing has to be got first. */
type Read<T> = (stored: T) => T | Promise<T>;

function recordReader(transform: ValueTransform): Read<StoredRecord> {
  const now = (record: StoredRecord): StoredRecord => {
    const value = transform.read(record.value, record.key);
    return value === record.value ? record : { ...record, value };
  };
  return (record) => transform.prepare?.(record.value, record.key)?.then(() => now(record)) ?? now(record);
}

function eventReader(transform: ValueTransform): Read<StoreEvent> {
  const now = (event: StoreEvent): StoreEvent => {
    const { key, value, previous } = event;
    const plain = value && transform.read(value, key);
    const before = previous && transform.read(previous.value, previous.key);
    if (plain === value && before === previous?.value) return event;
    return { ...event, value: plain, previous: previous && before && { ...previous, value: before } };
  };
  const { prepare } = transform;
  if (prepare === undefined) return now;
  return (event) => {
    const { key, value, previous } = event;
    const waits = [value && prepare(value, key), previous && prepare(previous.value, previous.key)];
    return waits.every((wait) => wait === undefined || wait === null)
      ? now(event)
      : Promise.all(waits).then(() => now(event));
  };
}

async function readResult(result: CommitResult, read: Read<StoredRecord>): Promise<CommitResult> {
  if (result.ok || result.current === undefined) return result;
  return { ...result, current: await read(result.current) };
}

function readWatch(watch: StoreWatch, read: Read<StoreEvent>): StoreWatch {
  return mapWatch(watch, (message) => {
    if (message.events.length === 0) return message;
    const events = mapAwaiting(message.events, read);
    return events instanceof Promise
      ? events.then((all) => ({ ...message, events: all }))
      : { ...message, events };
  });
}
