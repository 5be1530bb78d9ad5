import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Shares one read among all who ask while the one before is under way.
 *
 * A read that has begun before the question may not answer it (it could miss a write that was acknowledged between
 * the two), so whoever asks during a read gets the next one, and all of them the same.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  get(): Promise<T> {
    if (this.#running === undefined && this.#next === undefined) return this.#start();
    this.#next ??= this.#startNext();
    return this.#next;
  }

  /** A turn later: what has come in by then may still join. */
  async #startNext(): Promise<T> {
    await this.#running?.catch(() => {});
    await nextTurn();
    this.#next = undefined;
    return this.#start();
  }

  #start(): Promise<T> {
    const running = this.#read().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
