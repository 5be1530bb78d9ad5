import {
  DecodeError,
  decodeCanonicalJson,
  decodeCbor,
  encodeCbor,
  encodeJson,
  selfDescribed,
} from '../codec/index.ts';
import type {
  Commit,
  CommitResult,
  Store,
  StoredRecord,
  StoreEvent,
  StoreWatch,
  WatchMessage,
} from '../storage/index.ts';

/**
 * A store of JSON on one that may have custom resources in CBOR: what is in CBOR is read as JSON, whether or not it is
 * written so. Kubernetes does the same, so that its gate can be switched off again.
 *
 * @param writes whether custom resources are written in CBOR
 */
export function cborStorage(store: Store, { writes }: { readonly writes: boolean }): Store {
  return {
    get tellsTrueProgress() {
      return store.tellsTrueProgress;
    },
    revision: () => store.revision(),
    async get(key, options) {
      const { record, revision } = await store.get(key, options);
      return { record: record && readRecord(record), revision };
    },
    async list(range, options) {
      const found = await store.list(range, options);
      return { ...found, records: found.records.map(readRecord) };
    },
    async commit(commit) {
      return readResult(await store.commit(writes ? written(commit) : commit));
    },
    compact: (revision) => store.compact(revision),
    compactRevision: () => store.compactRevision(),
    watch: (range, options) => readWatch(store.watch(range, options)),
    close: () => store.close(),
  };
}

/** The keys of custom resources have their group, which has a dot; of the built-in kinds, only CRDs have theirs. */
const customKey = /^\/registry\/(?!apiextensions\.k8s\.io\/)[^/]*\.[^/]*\//;

function written(commit: Commit): Commit {
  const { key, value } = commit;
  if (value === null || !customKey.test(key)) return commit;
  return { ...commit, value: encodeCbor(decodeCanonicalJson(value)) };
}

/** The bytes in JSON; what cannot be read stays as it is, for whoever wants to know what it is. */
function readValue(bytes: Uint8Array): Uint8Array {
  if (!selfDescribed.equals(bytes.subarray(0, selfDescribed.length))) return bytes;
  try {
    return encodeJson(decodeCbor(bytes));
  } catch (error) {
    if (error instanceof DecodeError) return bytes;
    throw error;
  }
}

function readRecord(record: StoredRecord): StoredRecord {
  const value = readValue(record.value);
  return value === record.value ? record : { ...record, value };
}

function readResult(result: CommitResult): CommitResult {
  if (result.ok || result.current === undefined) return result;
  return { ...result, current: readRecord(result.current) };
}

function readEvent(event: StoreEvent): StoreEvent {
  const value = event.value && readValue(event.value);
  const previous = event.previous && readRecord(event.previous);
  return value === event.value && previous === event.previous ? event : { ...event, value, previous };
}

function readWatch(watch: StoreWatch): StoreWatch {
  return {
    requestProgress: () => watch.requestProgress(),
    close: () => watch.close(),
    [Symbol.asyncIterator]: () => {
      const messages = watch[Symbol.asyncIterator]();
      return {
        next: () => messages.next().then(readMessage),
        return: async () => messages.return?.() ?? { done: true, value: undefined },
      };
    },
  };
}

function readMessage(result: IteratorResult<WatchMessage>): IteratorResult<WatchMessage> {
  if (result.done === true || result.value.events.length === 0) return result;
  return { done: false, value: { ...result.value, events: result.value.events.map(readEvent) } };
}
