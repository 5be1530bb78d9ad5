import { DecodeError } from '../../codec/index.ts';
import type { KubeObject } from '../../meta/index.ts';
import type { RecentObjects } from '../representation/recent-objects.ts';
import { decodeStoredValue } from '../representation/stored-value.ts';
import { prefixRange, type Store, type StoreEvent } from '../../storage/index.ts';

/** One stored object, or the last state of a deleted one. */
export interface StoredChange {
  readonly key: string;
  /** The revision of the change; for the initial state, that of the last write. */
  readonly revision: number;
  readonly gone: boolean;
  /** The stored bytes, or the last ones. */
  readonly bytes: Uint8Array;
  /** Decoded in the stored version, with each call; undefined for bytes that are not a JSON object. */
  object(): KubeObject | undefined;
  /** The same object, shared with others: it must not be changed. */
  shared(): Readonly<KubeObject> | undefined;
  /** The state before this change; undefined for a new object, and in the initial state. */
  previous(): KubeObject | undefined;
}

/** Changes that belong together, and their revision. */
export interface StoredChanges {
  readonly changes: readonly StoredChange[];
  /** All changes up to this revision have been reported; 0 while the initial state is incomplete. */
  readonly revision: number;
  /** True for the initial state. */
  readonly initial: boolean;
}

const everything = '/registry/';
const pageRecords = 500;

/**
 * Reports every object of every resource, or of those below a prefix, first its current state, then each change, in
 * revision order: one watch of the store for all resources together. It opens no live view, so resources that nobody
 * reads cost nothing.
 *
 * @throws {StoreError} `compacted` if it fell too far behind: then it must be started over
 */
export async function* storedChanges(
  store: Store,
  { signal, prefix = everything, recent }: ChangesOptions,
): AsyncGenerator<StoredChanges> {
  const range = prefixRange(prefix);
  const revision = await store.revision();
  let { start } = range;
  for (;;) {
    const options = { revision, limit: pageRecords, counted: false, signal };
    const page = await store.list({ ...range, start }, options);
    const changes = page.records.map(({ key, value, modRevision }) =>
      changeOf({ key, revision: modRevision, gone: false, bytes: value }, { recent }),
    );
    const last = page.records.at(-1);
    const more = page.more && last !== undefined;
    yield { changes, revision: more ? 0 : revision, initial: true };
    if (!more) break;
    start = `${last.key}\0`;
  }
  yield* storedChangesAfter(store, revision, { signal, prefix, recent });
}

/** Which changes are reported. */
export interface ChangesOptions {
  readonly signal: AbortSignal;
  /** The resources below this prefix; all if absent. */
  readonly prefix?: string | undefined;
  /** Objects already decoded from the bytes of some revisions. */
  readonly recent?: RecentObjects | undefined;
  /** Selects changes before they are decoded; a batch may then be empty. */
  readonly wants?: (key: string, revision: number) => boolean;
}

/**
 * Every change of every resource, or of those below a prefix, after a revision, in order.
 *
 * @throws {StoreError} `compacted`
 */
export async function* storedChangesAfter(
  store: Store,
  after: number,
  { signal, prefix = everything, recent, wants }: ChangesOptions,
): AsyncGenerator<StoredChanges> {
  for await (const { events, revision } of store.watch(prefixRange(prefix), { after, signal })) {
    if (events.length === 0) continue;
    const wanted = wants === undefined ? events : events.filter((event) => wants(event.key, event.revision));
    yield { changes: wanted.flatMap((event) => changeOfEvent(event, recent)), revision, initial: false };
  }
}

function changeOfEvent(
  { type, key, revision, value, previous }: StoreEvent,
  recent: RecentObjects | undefined,
): StoredChange[] {
  const bytes = type === 'put' ? value : previous?.value;
  return bytes === undefined
    ? []
    : [changeOf({ key, revision, gone: type === 'delete', bytes }, { previous: previous?.value, recent })];
}

function changeOf(
  { key, revision, gone, bytes }: Pick<StoredChange, 'key' | 'revision' | 'gone' | 'bytes'>,
  { previous, recent }: { previous?: Uint8Array | undefined; recent: RecentObjects | undefined },
): StoredChange {
  return {
    key,
    revision,
    gone,
    bytes,
    object: () => storedObject(bytes),
    shared: () => (gone ? undefined : recent?.get(revision)) ?? storedObject(bytes),
    previous: () => (previous === undefined ? undefined : storedObject(previous)),
  };
}

/** Another writer of the same etcd may store kinds of its own in unknown encodings: these are skipped. */
function storedObject(bytes: Uint8Array): KubeObject | undefined {
  try {
    return decodeStoredValue(bytes);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
