import { seededRandom } from '../../src/meta/index.ts';

/**
 * The one source of randomness. Every case has a generator of its own, made of the seed, the target and the number of
 * the case: a case can be run again by itself, and a run can go on where it stopped.
 */
export class Random {
  /** From 0 up to 1. 32 bits of state are enough for one case. */
  readonly next: () => number;

  constructor(...parts: readonly (string | number)[]) {
    this.next = seededRandom(hash(parts.join('/')));
  }

  /** A whole number below a bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  /** Up to a number of generated values. */
  some<T>(countMax: number, make: () => T): T[] {
    return Array.from({ length: this.below(countMax + 1) }, make);
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }

  /** Bytes with a few of them changed, doubled, or left out. */
  damaged(bytes: Uint8Array): Buffer {
    let damaged = Buffer.from(bytes);
    for (let left = 1 + this.below(4); left > 0 && damaged.length > 0; left -= 1) {
      const at = this.below(damaged.length);
      const [before, after] = [damaged.subarray(0, at), damaged.subarray(at)];
      damaged = Buffer.concat(
        this.pick([
          [before, this.bytes(1), after.subarray(1)],
          [before],
          [before, this.bytes(this.below(8)), after],
          [before, after.subarray(0, 40), after],
          [before, after.subarray(this.below(20))],
        ]),
      );
    }
    return damaged;
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of Buffer.from(text)) value = Math.imul(value ^ char, 0x01000193);
  return value >>> 0;
}
