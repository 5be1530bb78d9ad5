import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Shares one read among all callers that arrive while the previous one is in progress.
 *
 * A read that started before a call may miss a write acknowledged between the two, so callers during a read get the
 * next one, all the same one.
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

  /** One turn later, so that requests that have arrived by then can join. */
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
