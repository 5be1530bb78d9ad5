import { DecodeError } from '../../codec/index.ts';
import type { KubeObject } from '../../meta/index.ts';
import type { RecentObjects } from '../representation/recent-objects.ts';
import { decodeStoredValue } from '../representation/stored-value.ts';
import { prefixRange, type Store, type StoreEvent } from '../../storage/index.ts';

/** One object as the store has it, or its last state where it is gone. */
export interface StoredChange {
  readonly key: string;
  /** The revision of the change, or of the write that left the state at the start. */
  readonly revision: number;
  readonly gone: boolean;
  /** The bytes that are stored, or the last that were. */
  readonly bytes: Uint8Array;
  /** In the version in which it is stored; undefined for what is no object in JSON. Decoded with each call. */
  object(): KubeObject | undefined;
  /** The same, as somebody else may have it, too: nobody may change anything in it. */
  shared(): Readonly<KubeObject> | undefined;
  /** What it was before this change; undefined for what is new, and for the state at the start. */
  previous(): KubeObject | undefined;
}

/** Changes that belong together, and how far they lead. */
export interface StoredChanges {
  readonly changes: readonly StoredChange[];
  /** Everything up to here has been told; 0 as long as there is more to tell of the state at the start. */
  readonly revision: number;
  /** True for the state at the start. */
  readonly initial: boolean;
}

const everything = '/registry/';
const pageRecords = 500;

/**
 * Every object of every resource, or of those below a prefix, first as it is, then each change, in the order of the
 * revisions: one watch of the store for all resources together. It opens no live view, so that resources whose objects
 * nobody asks for cost nothing.
 *
 * @throws {StoreError} `compacted` where it could not keep up: then it is started over
 */
export async function* storedChanges(
  store: Store,
  { signal, prefix = everything, recent }: ChangesOptions,
): AsyncGenerator<StoredChanges> {
  const range = prefixRange(prefix);
  const revision = await store.revision();
  let { start } = range;
  for (;;) {
    const page = await store.list({ ...range, start }, { revision, limit: pageRecords, signal });
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

/** Which changes are told. */
export interface ChangesOptions {
  readonly signal: AbortSignal;
  /** Of the resources below it; of all where it is left out. */
  readonly prefix?: string | undefined;
  /** Objects that are known to be what some revisions wrote. */
  readonly recent?: RecentObjects | undefined;
  /** Picks changes before anything is made of them; a batch may then be empty. */
  readonly wants?: (key: string, revision: number) => boolean;
}

/**
 * Every change of every resource, or of those below a prefix, after a revision, in one order.
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

/** Another writer of the same etcd may keep kinds of its own, in forms that nobody here knows: those are none of ours. */
function storedObject(bytes: Uint8Array): KubeObject | undefined {
  try {
    return decodeStoredValue(bytes);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
