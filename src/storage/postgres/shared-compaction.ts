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
 * Compaction by one of several servers at a time, as on etcd: all try to take the next turn, the one that has seen the
 * last one succeeds, and forgets what was there at its own last turn. So nothing younger than one interval is forgotten.
 */
export class SharedCompaction {
  readonly #parts: SharedCompactionParts;
  #seen = -1;
  /** The revision at this server's last turn; 0 before the first. */
  #last: Revision = 0;

  constructor(parts: SharedCompactionParts) {
    this.#parts = parts;
  }

  /** Forgets what is before the last turn, unless somebody else had a turn meanwhile. */
  async takeTurn(): Promise<void> {
    const { statements, read, compact } = this.#parts;
    const forgotten = this.#last;
    const [taken] = await read(statements.takeTurn(this.#seen));
    const [row] = taken === undefined ? await read(statements.seeTurn()) : [taken];
    this.#seen = integer(row, 0);
    this.#last = integer(row, 1);
    if (taken !== undefined && forgotten > 0) await compact(forgotten);
  }
}
