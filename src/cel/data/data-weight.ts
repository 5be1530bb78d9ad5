/** The number of values in the caller's data, at any depth; cached per object and array. */
export class DataWeights {
  readonly #known = new WeakMap<object, number>();

  of(raw: unknown): number {
    if (typeof raw !== 'object' || raw === null || raw instanceof Number) return 1;
    const known = this.#known.get(raw);
    if (known !== undefined) return known;
    let weight = 1;
    for (const inner of Object.values(raw)) weight += this.of(inner);
    this.#known.set(raw, weight);
    return weight;
  }
}
