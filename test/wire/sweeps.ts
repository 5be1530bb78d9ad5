import { systemTimers, type Timers } from '../../src/meta/index.ts';

/** A clock of a server's sweeps that the test controls. */
export class Sweeps implements Timers {
  readonly after = systemTimers.after;
  readonly #calls = new Set<() => void>();

  every(_: number, call: () => void): () => void {
    this.#calls.add(call);
    return () => this.#calls.delete(call);
  }

  pass(seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      for (const call of this.#calls) call();
    }
  }
}
