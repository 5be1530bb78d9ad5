import type { Revision } from '../store.ts';

interface CompactedRevisionParts {
  /** A hint for the oldest revision, which every compactor records. */
  readonly likelyRevision: () => Promise<Revision>;
  readonly canRead: (revision: Revision) => Promise<boolean>;
  readonly head: () => Promise<Revision>;
}

/** Finds the oldest readable revision. etcd does not report it, but refuses older ones. */
export class CompactedRevision {
  readonly #parts: CompactedRevisionParts;
  /** The last one that was found; it only grows. */
  #oldest: Revision = 1;

  constructor(parts: CompactedRevisionParts) {
    this.#parts = parts;
  }

  async find(): Promise<Revision> {
    const { canRead, likelyRevision, head } = this.#parts;
    if (await canRead(this.#oldest)) return this.#oldest;
    const likely = await likelyRevision();
    if (likely > this.#oldest && (await canRead(likely)) && !(await canRead(likely - 1)))
      return this.#found(likely);
    let tooOld = this.#oldest;
    let readable = await head();
    while (readable - tooOld > 1) {
      const middle = tooOld + Math.floor((readable - tooOld) / 2);
      if (await canRead(middle)) readable = middle;
      else tooOld = middle;
    }
    return this.#found(readable);
  }

  #found(revision: Revision): Revision {
    this.#oldest = Math.max(this.#oldest, revision);
    return this.#oldest;
  }
}
