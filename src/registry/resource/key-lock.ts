/**
 * A lock for each key. Writers usually need none: each reads, computes, and commits if no other writer was faster. A writer
 * that has lost several times acquires the lock of the key, and later writers wait for it. Every writer makes progress, and
 * without contention no writer waits.
 */
export class KeyLock {
  readonly #locks = new Map<string, Promise<void>>();

  /** Resolves when the lock is released; undefined if it is free. */
  whenFree(key: string): Promise<void> | undefined {
    return this.#locks.get(key);
  }

  /** Acquires the lock when it is free; the result releases it. */
  async acquire(key: string): Promise<() => void> {
    for (let held = this.#locks.get(key); held !== undefined; held = this.#locks.get(key)) await held;
    let settle = () => {};
    const lock = new Promise<void>((resolve) => {
      settle = resolve;
    });
    this.#locks.set(key, lock);
    return () => {
      this.#locks.delete(key);
      settle();
    };
  }
}
