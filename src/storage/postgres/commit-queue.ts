import { batchOf, type PendingCommit } from '../group-commit.ts';

/** So many transactions may be under way: while one waits for the disk, the next one is on its way. */
const inFlightMax = 2;

/**
 * Collects commits while others are under way, so that many share one transaction. A batch has each key once, and no
 * guard of a key that it writes: then all of it can be judged at once.
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
  const written = new Set<string>();
  const guarded = new Set<string>();
  const batch: PendingCommit[] = [];
  const rest: PendingCommit[] = [];
  for (const [index, pending] of waiting.entries()) {
    const { key, preconditions: guards = [] } = pending.commit;
    const meets = written.has(key) || guarded.has(key) || guards.some((guard) => written.has(guard.key));
    if (index >= most || meets) {
      rest.push(pending);
    } else {
      batch.push(pending);
      written.add(key);
      for (const guard of guards) guarded.add(guard.key);
    }
  }
  return { batch, rest };
}
