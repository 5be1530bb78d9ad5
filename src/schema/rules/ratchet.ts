import type { Correlation } from '../validate/correlation.ts';

/**
 * How a value relates to the stored one: whether its errors fail an update (KEP-4008).
 *
 * A value that has no counterpart in the stored object is as good as the nearest value around it that has one.
 */
export class Ratchet {
  readonly #current: Correlation | undefined;
  readonly #nearest: Correlation | undefined;

  constructor(current: Correlation | undefined, nearest?: Correlation) {
    this.#current = current;
    this.#nearest = nearest;
  }

  key(name: string): Ratchet {
    const current = this.#current;
    if (current === undefined) return this;
    // Of a version that was converted, both look the same whatever the client sent.
    if (this.#nearest === undefined && (name === 'apiVersion' || name === 'kind'))
      return new Ratchet(undefined);
    return new Ratchet(current.key(name), current);
  }

  index(index: number): Ratchet {
    const current = this.#current;
    return current === undefined ? this : new Ratchet(current.index(index), current);
  }

  /** True where errors become warnings, because nothing was changed here. */
  get isUnchanged(): boolean {
    return (this.#current ?? this.#nearest)?.isUnchanged ?? false;
  }
}
