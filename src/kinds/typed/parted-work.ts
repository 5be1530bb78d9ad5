import type { Steps } from '../../meta/index.ts';

/** Works on the members of a collection from an index up to another one. */
export type PartOfWork = (from: number, to: number) => void;

/** Collections up to this length are worked on at once; longer ones in parts of this length. */
const partLength = 1_024;

/** Work on long collections, deferred until the rest is done, and then done in steps. */
export class PartedWork {
  readonly #deferred: { readonly count: number; readonly part: PartOfWork }[] = [];
  #isFinishing = false;

  /** Does short work at once, and defers long work; deferred work defers nothing itself. */
  isPutOff(count: number): boolean {
    return count > partLength && !this.#isFinishing;
  }

  inParts(count: number, part: PartOfWork): void {
    if (this.isPutOff(count)) this.#deferred.push({ count, part });
    else part(0, count);
  }

  /** Does the deferred work. */
  *finish(): Steps<void> {
    this.#isFinishing = true;
    for (const { count, part } of this.#deferred) {
      for (let from = 0; from < count; from += partLength) {
        yield;
        part(from, Math.min(count, from + partLength));
      }
    }
  }
}
