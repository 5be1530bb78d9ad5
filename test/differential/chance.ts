import { seededRandom } from '../../src/meta/index.ts';

/** Seeded choices: the same ones for the same seed. */
export class Chance {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(Math.imul(seed + 1, 0x9e3779b1));
  }

  /** A number from 0 up to, not including, a limit. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** True in so many of a hundred cases. */
  percent(share: number): boolean {
    return this.below(100) < share;
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('nothing to choose from');
    // An index below the length.
    return choices[this.below(choices.length)] as T;
  }

  /** Some of the choices, in their order. */
  some<T>(choices: readonly T[], share: number): T[] {
    return choices.filter(() => this.percent(share));
  }
}
