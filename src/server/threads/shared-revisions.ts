/** The last revision at which any thread of the server wrote each of a few resources, in shared memory. */
export class SharedRevisions {
  readonly #values: BigInt64Array;

  /** The memory for a number of resources. */
  static memory(count: number): SharedArrayBuffer {
    return new SharedArrayBuffer(count * BigInt64Array.BYTES_PER_ELEMENT);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#values = new BigInt64Array(memory);
  }

  /** Notes a write, before it is acknowledged. */
  note(index: number, revision: number): void {
    const next = BigInt(revision);
    for (let known = Atomics.load(this.#values, index); known < next; ) {
      const before = Atomics.compareExchange(this.#values, index, known, next);
      if (before === known) return;
      known = before;
    }
  }

  /** 0 if nothing was written. */
  latest(index: number): number {
    return Number(Atomics.load(this.#values, index));
  }
}
