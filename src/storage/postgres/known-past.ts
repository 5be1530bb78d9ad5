import type { Revision } from '../store.ts';
import type { Row, Statement } from './connections.ts';
import { integer } from './row.ts';
import type { Statements } from './statements.ts';

type Run = (statement: Statement) => Promise<Row[]>;

/** How far the database is, and the oldest revision that can be read. */
interface Head {
  readonly head: Revision;
  readonly compacted: Revision;
}

/**
 * What this server knows of the history of its database: the highest revision of any response, and the stamp of the
 * newest change that it wrote or read. A database that was put back to an earlier state (a restored backup, a failover
 * that lost commits) has a lower revision, or a change with another stamp there.
 */
export class KnownPast {
  readonly #statements: Statements;
  #revision: Revision = 0;
  #stamped: { readonly revision: Revision; readonly stamp: number } | undefined;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The highest revision seen; 0 before the first. */
  get revision(): Revision {
    return this.#revision;
  }

  note(revision: Revision): Revision {
    if (revision > this.#revision) this.#revision = revision;
    return revision;
  }

  /** The stamp of the change at a revision. */
  noteChange(revision: Revision, stamp: number): void {
    this.note(revision);
    if (revision > (this.#stamped?.revision ?? 0)) this.#stamped = { revision, stamp };
  }

  /** Reads how far the database is. Where it has another past, its revision is raised first. */
  async head(run: Run): Promise<Head> {
    const [known, stamped] = [this.#revision, this.#stamped];
    const [row] = await run(this.#statements.head(stamped?.revision));
    const head = headOf(row);
    // Changes are removed only before the oldest revision that can be read.
    const isKept = stamped !== undefined && head.compacted <= stamped.revision;
    const isOther = isKept && row?.[2] !== stamped.stamp;
    if (head.head < known || isOther) return this.#putBack(run);
    this.note(head.head);
    return head;
  }

  /**
   * Checks a connection before its first use: a failover ends all connections, so that nothing is read from another past,
   * and nothing written into it, before it is noticed.
   */
  async check(run: Run): Promise<void> {
    if (this.#revision > 0) await this.head(run);
  }

  /**
   * Continues above every published revision, and compacts all before: clients that saw a lost revision must list
   * again, and no revision is assigned twice.
   */
  async raise(run: Run, known: Revision = 0): Promise<void> {
    await run(this.#statements.raise(Math.max(known, this.#revision)));
  }

  async #putBack(run: Run): Promise<Head> {
    await this.raise(run);
    const [row] = await run(this.#statements.head());
    const head = headOf(row);
    this.note(head.head);
    return head;
  }
}

const headOf = (row: Row | undefined): Head => ({ head: integer(row, 0), compacted: integer(row, 1) });
