/**
 * The storage seam: ordered bytes under string keys, one revision counter, one conditional write.
 *
 * It has etcd's shape because every promise of the Kubernetes API (optimistic concurrency, lists at a revision,
 * watches without gaps) is a promise about revisions. Drivers do not depend on objects.
 *
 * Keys are non-empty, well-formed strings without NUL; anything else is refused by `commit`. Value buffers are shared,
 * not copied: bytes that were passed to a store or returned by it must not be mutated.
 *
 * Source of the semantics: https://etcd.io/docs/v3.5/learning/api/ and api_guarantees.
 */

/** A moment of the store: one counter for all keys, raised by one with every write. Starts at 1 (an empty store). */
export type Revision = number;

/** A key with its value, as of some revision. */
export interface StoredRecord {
  readonly key: string;
  readonly value: Uint8Array;
  /** The revision of the write that made this value: what Kubernetes calls resourceVersion. */
  readonly modRevision: Revision;
}

/** Keys from `start` (included) to `end` (not included), in the order of their UTF-8 bytes. */
export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

export interface ListOptions {
  /** The moment to read at; the current one where it is left out. */
  readonly revision?: Revision;
  /** At most this many records; all of them where it is left out. */
  readonly limit?: number;
  /**
   * False where the caller does not need `count` beyond `more`. To count the rest of the range for each page makes a
   * list in pages quadratic.
   */
  readonly counted?: boolean;
  readonly signal?: AbortSignal;
}

export interface ListResult {
  readonly records: readonly StoredRecord[];
  /** The revision that was read at. */
  readonly revision: Revision;
  /** How many keys of the range were there, those beyond `limit` included; with `counted: false` any number above `limit` for more. */
  readonly count: number;
  /** True where `limit` cut the list; the next page starts at the last key followed by `\0`. */
  readonly more: boolean;
}

/** One conditional write. */
export interface Commit {
  readonly key: string;
  /** The new value; null deletes the key, which must be there: with `expect: 0` that is never ok. */
  readonly value: Uint8Array | null;
  /** The modRevision that the key must have; 0 means that the key must be absent. */
  readonly expect: Revision;
  /** Other keys that must be unchanged; if one is not, the commit is not ok, even if its own key is as expected. */
  readonly preconditions?: readonly Precondition[] | undefined;
}

/** A key, and the modRevision that it must have. */
export interface Precondition {
  readonly key: string;
  readonly modRevision: Revision;
}

export type CommitResult =
  | {
      readonly ok: true;
      /** The revision of this write. */
      readonly revision: Revision;
    }
  | {
      readonly ok: false;
      /** The current record, so that a conflict needs no second request; undefined if the key is absent. */
      readonly current: StoredRecord | undefined;
      /** The revision at which `current` was read. */
      readonly revision: Revision;
    };

/** One change of one key. */
export interface StoreEvent {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: Revision;
  /** The new value; undefined for a delete. */
  readonly value: Uint8Array | undefined;
  /** What the change replaced; undefined for a key that was absent. */
  readonly previous: StoredRecord | undefined;
}

/** What a watch yields: changes in the order of their revisions, and how far it has seen. */
export interface WatchMessage {
  /** May be empty: the message then only reports progress. */
  readonly events: readonly StoreEvent[];
  /** Every change of the range up to and including this revision has been delivered. */
  readonly revision: Revision;
}

/**
 * An open watch. It guarantees (etcd's terms): events come in the order of revisions (ordered), each once (unique),
 * those of one revision together (atomic), none is left out (reliable); a new watch from the last revision seen goes
 * on without a gap (resumable); a progress message is only sent when everything up to it was (bookmarkable).
 */
export interface StoreWatch extends AsyncIterable<WatchMessage> {
  /** Requests a message with the current revision, after all events before it. */
  requestProgress(): void;
  /** Ends the iteration at once; messages still queued are dropped. Closing the store does the same to all watches. */
  close(): void;
}

export interface WatchOptions {
  /** Changes after this revision are delivered. */
  readonly after: Revision;
  /** Closes the watch. */
  readonly signal?: AbortSignal;
}

/** Everything Ilk asks of a database. Every method may throw {@link StoreError}. */
export interface Store {
  /**
   * Whether watches can be believed about how far they have seen, so that a read of the latest may wait for one. Where
   * they cannot, such a read is to ask the store. This may change while the store is open.
   */
  readonly tellsTrueProgress: boolean;
  /** The current revision, linearizable: no later read or write sees less. */
  revision(): Promise<Revision>;
  /**
   * What {@link revision} would give, where the store knows it without asking anybody, as one does that no other process
   * writes to; undefined where {@link revision} is to be called.
   */
  readonly knownRevision?: Revision | undefined;
  /** The record under a key as of a revision, the current one by default. */
  get(
    key: string,
    options?: { readonly revision?: Revision },
  ): Promise<{ record: StoredRecord | undefined; revision: Revision }>;
  /** The records of a range in key order. */
  list(range: KeyRange, options?: ListOptions): Promise<ListResult>;
  /** Writes one key if it is as expected. A result with `ok: true` is durable. */
  commit(commit: Commit): Promise<CommitResult>;
  /**
   * Changes of a range, from the past on if asked. Never throws by itself: the iteration does, `compacted` where the
   * first requested change is compacted, `future-revision` if `after` is in the future, `closed` after `close`.
   */
  watch(range: KeyRange, options: WatchOptions): StoreWatch;
  /**
   * Forgets every revision before the given one: lists before it and watches of changes before it fail with `compacted`
   * from the call on. Resolves when the room is free. A revision that was already forgotten is no error.
   */
  compact(revision: Revision): Promise<void>;
  /** The oldest revision that can still be listed. */
  compactRevision(): Promise<Revision>;
  /** Ends all watches, finishes the writes under way and lets go of the database. */
  close(): Promise<void>;
}

/** Why a store could not do what it was asked. */
export type StoreErrorCode =
  /** The requested revision is compacted. */
  | 'compacted'
  /** The requested revision is in the future. */
  | 'future-revision'
  /** The store was closed. */
  | 'closed'
  /** The database has no room left; nothing was written. */
  | 'no-space'
  /** The database cannot be reached or failed. */
  | 'unavailable'
  /** The database is damaged: it stays so until it is restored. */
  | 'damaged'
  /** A value is encrypted, and cannot be decrypted; the others can be read. */
  | 'unreadable'
  /** A value is to be encrypted, and cannot be; nothing was written. */
  | 'unwritable'
  /** The database failed while it wrote: the commit may have happened, or may still happen. Not to be repeated blindly. */
  | 'outcome-unknown'
  /** The value is larger than the database takes; nothing was written. */
  | 'too-large'
  /** The data belongs to another process or a newer version, or cannot be written; or a key is not legal. */
  | 'refused';

export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  /** The oldest revision that is left, for `compacted`; the current one, for `future-revision`. */
  readonly revision: Revision | undefined;

  constructor(code: StoreErrorCode, message: string, options: { revision?: Revision; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.revision = options.revision;
  }
}

const lastCodePoint = 0x10ffff;

/** The code point that follows in the order of UTF-8, which has no surrogates. */
const nextCodePoint = (point: number): number => (point === 0xd7ff ? 0xe000 : point + 1);

/**
 * The range of all keys that start with a prefix; of all keys for the empty one.
 *
 * @example prefixRange('/a/') // { start: '/a/', end: '/a0' }, for '0' follows '/'
 */
export function prefixRange(prefix: string): KeyRange {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === lastCodePoint) points.pop();
  const last = points.pop();
  if (last === undefined) return { start: prefix, end: String.fromCodePoint(lastCodePoint, lastCodePoint) };
  return { start: prefix, end: String.fromCodePoint(...points, nextCodePoint(last)) };
}
