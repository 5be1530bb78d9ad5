import { watchMessage } from '../log-watch.ts';
import { type KeyRange, type Revision, StoreError, type WatchMessage } from '../store.ts';
import type { Row, Statement } from './connections.ts';
import { eventOf, integer } from './row.ts';
import type { Statements } from './statements.ts';

export interface ChangeReaderParts {
  readonly statements: Statements;
  readonly pageEventsMax: number;
  readonly run: (statement: Statement) => Promise<Row[]>;
  /** Told the stamp of the newest change that was read. */
  readonly onChange: (revision: Revision, stamp: number) => void;
  /** Told where the database has another past than the one that was read. */
  readonly onPutBack: (known: Revision) => Promise<void>;
}

/**
 * Reads changes from a revision on, page by page. Detects a database that was reset to an earlier state (a restored
 * backup, a failover that lost commits) and removed changes.
 */
export class ChangeReader {
  readonly #parts: ChangeReaderParts;
  readonly #range: KeyRange | undefined;
  #seen: Revision;
  /** The stamp of the change at {@link #seen}; undefined until it is known. */
  #stamp: number | undefined;

  constructor(parts: ChangeReaderParts, range: KeyRange | undefined, after: Revision) {
    this.#parts = parts;
    this.#range = range;
    this.#seen = after;
  }

  /**
   * The next changes, the reader's position after them, and whether there are more.
   *
   * @throws {StoreError} `compacted` where changes are missing
   */
  async next(): Promise<{ readonly message: WatchMessage; readonly more: boolean }> {
    const { statements, pageEventsMax, run } = this.#parts;
    const rows = await run(statements.changes(this.#seen, pageEventsMax, this.#range));
    const head = integer(rows[0], 0);
    await this.#checkPast(rows[0], head);
    const changes = rows.filter((row) => row[3] !== null);
    const events = changes.map((row) => eventOf(row, 3));
    const more = changes.length === pageEventsMax;
    const last = more ? integer(changes.at(-1), 3) : head;
    if (this.#range === undefined) await this.#checkGaps(changes, last);
    this.#seen = last;
    this.#noteLast(changes.at(-1));
    return { message: watchMessage(events, last), more };
  }

  #noteLast(change: Row | undefined): void {
    if (change === undefined) return;
    const [revision, stamp] = [integer(change, 3), integer(change, 9)];
    this.#parts.onChange(revision, stamp);
    this.#stamp = revision === this.#seen ? stamp : undefined;
  }

  async #checkPast(row: Row | undefined, head: Revision): Promise<void> {
    const compacted = integer(row, 1);
    const stamp = row?.[2];
    // After revisions were raised, the newest one is no change.
    const kept = this.#stamp === undefined ? compacted < this.#seen : compacted <= this.#seen;
    const isGone = head < this.#seen || (stamp === null && this.#seen > 1 && kept);
    const isOther = this.#stamp !== undefined && typeof stamp === 'number' && stamp !== this.#stamp;
    if (isGone || isOther) {
      await this.#parts.onPutBack(this.#seen);
      const text = `the database has another past: revision ${this.#seen} is gone or another change`;
      throw new StoreError('compacted', text, { revision: head });
    }
    if (this.#seen + 1 < compacted) {
      const text = `the changes after revision ${this.#seen} were compacted`;
      throw new StoreError('compacted', text, { revision: compacted });
    }
    if (typeof stamp === 'number') this.#stamp = stamp;
  }

  /** Each revision is one change. */
  async #checkGaps(changes: readonly Row[], last: Revision): Promise<void> {
    if (changes.length === last - this.#seen) return;
    await this.#parts.onPutBack(last);
    const text = `changes after revision ${this.#seen} are missing: somebody removed them`;
    throw new StoreError('compacted', text, { revision: last });
  }
}
