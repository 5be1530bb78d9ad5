/** So many go on in one turn of the event loop; one of them costs some 20 to 40 us. */
const perTurnMax = 64;

/**
 * Lets those that have something to do at the same time go on a few in each turn of the event loop, in the order in which they
 * came. An event that 10,000 watches are about wakes all of them at once: without turns, the answer to the write itself, and
 * everybody else, waits for the last of them.
 */
export class Turns {
  readonly #perTurn: number;
  #left: number;
  #waiting: (() => void)[] = [];

  /** @param perTurn so many go on in one turn */
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
