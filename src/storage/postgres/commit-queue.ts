import { batchOf, type PendingCommit } from '../group-commit.ts';

/** Concurrent transactions: while one waits for the disk, the next one is sent. */
const inFlightMax = 2;

/**
 * Collects commits while others are in flight, so that many share one transaction. A batch has each key once, and no
 * precondition on a key that it writes: one statement can then check all of it.
 */
export class CommitQueue {
  readonly #write: (batch: readonly PendingCommit[]) => Promise<void>;
  #waiting: PendingCommit[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #scheduled = false;

  /** `write` answers each commit of its batch and does not reject. */
  constructor(write: (batch: readonly PendingCommit[]) => Promise<void>) {
    this.#write = write;
  }

  add(pending: PendingCommit): void {
    this.#waiting.push(pending);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  /** Resolves when everything that was added is answered. */
  async drained(): Promise<void> {
    while (this.#waiting.length > 0 || this.#underWay.size > 0) {
      this.#start();
      await Promise.race(this.#underWay);
    }
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#underWay.size < inFlightMax) {
      const { batch, rest } = independent(this.#waiting);
      this.#waiting = rest;
      const writing = this.#write(batch).finally(() => {
        this.#underWay.delete(writing);
        this.#start();
      });
      this.#underWay.add(writing);
    }
  }
}

/** As many as go together, from the oldest on; the others stay in their order. */
function independent(waiting: readonly PendingCommit[]): {
  readonly batch: PendingCommit[];
  readonly rest: PendingCommit[];
} {
  const most = batchOf(waiting);
  const writtenKeys = new Set<string>();
  const preconditionKeys = new Set<string>();
  const batch: PendingCommit[] = [];
  const rest: PendingCommit[] = [];
  for (const [index, pending] of waiting.entries()) {
    const { key, preconditions = [] } = pending.commit;
    const meets =
      writtenKeys.has(key) ||
      preconditionKeys.has(key) ||
      preconditions.some((precondition) => writtenKeys.has(precondition.key));
    if (index >= most || meets) {
      rest.push(pending);
    } else {
      batch.push(pending);
      writtenKeys.add(key);
      for (const precondition of preconditions) preconditionKeys.add(precondition.key);
    }
  }
  return { batch, rest };
}
