import type { Revision } from '../store.ts';

const at = Object.freeze({ revision: 0, compacted: 1 });

/** Revisions that one thread writes and others read without a message. */
export class SharedRevision {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: BigInt64Array;
  /** What the cell has, for the thread that writes it. */
  #written: Revision = 0;

  constructor(buffer = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#cells = new BigInt64Array(buffer);
  }

  /** The latest revision of the store; undefined if it is closed. */
  get revision(): Revision | undefined {
    const revision = Number(Atomics.load(this.#cells, at.revision));
    return revision === 0 ? undefined : revision;
  }

  /** The oldest revision that can be listed, as far as somebody has compacted since the store was shared; 0 before. */
  get compacted(): Revision {
    return Number(Atomics.load(this.#cells, at.compacted));
  }

  /** Called by the owner alone. */
  raise(revision: Revision): void {
    if (revision <= this.#written) return;
    this.#written = revision;
    Atomics.store(this.#cells, at.revision, BigInt(revision));
  }

  /** Called by the owner alone. */
  raiseCompacted(revision: Revision): void {
    if (revision > this.compacted) Atomics.store(this.#cells, at.compacted, BigInt(revision));
  }

  /** There is no revision any more. Called by the owner alone. */
  close(): void {
    this.#written = Number.POSITIVE_INFINITY;
    Atomics.store(this.#cells, at.revision, 0n);
  }
}
