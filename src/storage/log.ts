import type { Commit, CommitResult, KeyRange, Revision, StoredRecord, StoreEvent } from './store.ts';

/** What a batch of commits did. */
export interface Appended {
  /** One result for each commit, in order. */
  readonly results: readonly CommitResult[];
  /** The changes of the commits that were ok, in order. */
  readonly events: readonly StoreEvent[];
}

/** The records of a range at a moment, and how many there are without the limit. */
export interface Page {
  readonly records: readonly StoredRecord[];
  readonly count: number;
}

/** What of a range a log is to list. */
export interface PageOptions {
  /** A revision between `compacted` and `head`. */
  readonly at: Revision;
  /** The most records; infinite for all. */
  readonly limit: number;
  /** False where any count above the limit says that there are more. */
  readonly counted: boolean;
}

/** A part of the past. */
export interface Window {
  /** Events after this revision ... */
  readonly after: Revision;
  /** ... up to and including this one. */
  readonly upTo: Revision;
  /** About this many: changes of one revision are never split. */
  readonly limit: number;
}

/**
 * The interface of the embedded drivers: a log of changes and the resulting state, without promises,
 * batching or watches, which {@link LogStore} adds. All calls are synchronous and atomic.
 *
 * A driver with revisions and watches of its own, such as etcd's, implements `Store` instead. The idea that each
 * driver picks its height is kine's: https://github.com/k3s-io/kine
 */
export interface Log {
  /** The revision of the last change; 1 where there was none. */
  readonly head: Revision;
  /** The oldest revision that `list` can answer. */
  readonly compacted: Revision;
  /** The current record under a key. */
  get(key: string): StoredRecord | undefined;
  /** A range as of a revision. */
  list(range: KeyRange, options: PageOptions): Page;
  /**
   * Carries out conditional writes as one transaction; each sees what the ones before it did. When it returns, they
   * are durable. Throws a StoreError when nothing was written.
   */
  append(commits: readonly Commit[]): Appended;
  /** The events of a range in a part of the past that begins at `compacted - 1` or later. */
  history(range: KeyRange, window: Window): readonly StoreEvent[];
  /** Does one step of the compaction up to `revision`; false when it is complete. */
  compactSome(revision: Revision): boolean;
  /** Throws a StoreError where the log cannot do its work now: no room left, a damaged database. */
  health?(): void;
  close(): void;
}
