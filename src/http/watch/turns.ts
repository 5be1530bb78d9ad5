/** The number of tasks per turn of the event loop; each takes some 20 to 40 us. */
const perTurnMax = 64;

/**
 * Runs concurrent tasks in order, a few per turn of the event loop. An event that concerns 10,000 watches wakes all of
 * them at once: without turns, the response to the write itself and all other requests would wait for the last watch.
 */
export class Turns {
  readonly #perTurn: number;
  #left: number;
  #waiting: (() => void)[] = [];

  /** @param perTurn the number of tasks per turn */
  constructor(perTurn = perTurnMax) {
    this.#perTurn = perTurn;
    this.#left = perTurn;
  }

  /** Undefined if the caller can continue at once, because few run at the same time. */
  take(): Promise<void> | undefined {
    if (this.#left === this.#perTurn) setImmediate(this.#next);
    if (this.#left > 0) {
      this.#left -= 1;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  readonly #next = (): void => {
    const begun = this.#waiting.splice(0, this.#perTurn);
    this.#left = this.#perTurn - begun.length;
    if (begun.length > 0) setImmediate(this.#next);
    for (const resolve of begun) resolve();
  };
}
