import type { Commit, CommitResult } from './store.ts';

/** The most commits of one transaction: enough to share the price of an fsync, few enough not to hold up the reads. */
export const maxBatchCommits = 512;
/** The most bytes of one transaction, reached by few large values. One value may be larger. */
export const maxBatchBytes = 8 * 1024 * 1024;

/** A commit that waits, and how to answer it. */
export interface PendingCommit {
  readonly commit: Commit;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects the commits of one turn of the event loop, so that they share one transaction and its fsync. `setImmediate`
 * runs after all sockets that are ready were read: what arrived together is written together.
 */
export class GroupCommit {
  readonly #write: (batch: readonly PendingCommit[]) => void;
  #waiting: PendingCommit[] = [];
  #scheduled = false;

  /** `write` answers each commit of its batch and does not throw. */
  constructor(write: (batch: readonly PendingCommit[]) => void) {
    this.#write = write;
  }

  add(pending: PendingCommit): void {
    this.#waiting.push(pending);
    this.#schedule();
  }

  /** Writes everything that waits, at once. */
  flush(): void {
    while (this.#waiting.length > 0) this.#writeSome();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#waiting.length === 0) return;
      this.#writeSome();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #writeSome(): void {
    const size = batchOf(this.#waiting);
    const all = this.#waiting;
    this.#waiting = size === all.length ? [] : all.slice(size);
    this.#write(size === all.length ? all : all.slice(0, size));
  }
}

/** How many of those that wait fit in one transaction, from the oldest on. */
export function batchOf(waiting: readonly PendingCommit[]): number {
  let bytes = 0;
  let size = 0;
  for (const { commit } of waiting) {
    bytes += commit.value?.byteLength ?? 0;
    if (size === maxBatchCommits || (size > 0 && bytes > maxBatchBytes)) break;
    size++;
  }
  return size;
}
