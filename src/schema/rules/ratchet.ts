import type { Correlation } from '../validate/correlation.ts';

/**
 * The relation of a value to the stored one: whether its errors fail an update (KEP-4008).
 *
 * A value without a counterpart in the stored object is treated like its nearest ancestor that has one.
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
    // After a conversion, both are equal whatever the client sent.
    if (this.#nearest === undefined && (name === 'apiVersion' || name === 'kind'))
      return new Ratchet(undefined);
    return new Ratchet(current.key(name), current);
  }

  index(index: number): Ratchet {
    const current = this.#current;
    return current === undefined ? this : new Ratchet(current.index(index), current);
  }

  /** True if errors become warnings, because the value is unchanged. */
  get isUnchanged(): boolean {
    return (this.#current ?? this.#nearest)?.isUnchanged ?? false;
  }
}
