import type { Revision } from '../store.ts';
import type { Row, Statement } from './connections.ts';
import { integer } from './row.ts';
import type { Statements } from './statements.ts';

interface SharedCompactionParts {
  readonly statements: Statements;
  readonly read: (statement: Statement) => Promise<Row[]>;
  readonly compact: (revision: Revision) => Promise<void>;
}

/**
 * Turns in one interval. Tables need the room of the history before a turn, and have the history after it: with many turns
 * these are nearly the same, with one turn the first is twice the second.
 */
export const turnsPerInterval = 10;

/**
 * Compaction by one of several servers at a time, as on etcd: all try to take the next turn, and the one that has seen the
 * last one succeeds. It forgets what was there at its own turn one interval ago, so nothing younger is forgotten.
 */
export class SharedCompaction {
  readonly #parts: SharedCompactionParts;
  #seen = -1;
  /** The revisions at this server's turns during the last interval, the oldest first. */
  readonly #revisions: Revision[] = [];

  constructor(parts: SharedCompactionParts) {
    this.#parts = parts;
  }

  /** Compacts history older than an interval, unless another server has done so meanwhile. */
  async takeTurn(): Promise<void> {
    const { statements, read, compact } = this.#parts;
    const [taken] = await read(statements.takeTurn(this.#seen));
    const [row] = taken === undefined ? await read(statements.seeTurn()) : [taken];
    this.#seen = integer(row, 0);
    const forgotten = this.#revisions.length === turnsPerInterval ? this.#revisions.shift() : undefined;
    this.#revisions.push(integer(row, 1));
    if (taken !== undefined && forgotten !== undefined) await compact(forgotten);
  }
}
