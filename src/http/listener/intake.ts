/** So many requests are begun in one go: enough to share their steps, few enough that the first are not held up. */
const atOnceMax = 16;

/**
 * Begins requests a few at each turn of the event loop. Those that arrive together then go through each step together,
 * which costs a fifth to a third less than each through all steps alone. And what the first of them ask of the storage is on
 * its way while the next ones are looked at: Node sends nothing before it has heard every socket that has something to say.
 */
export class Intake {
  #waiting: (() => void)[] = [];
  readonly #atOnceMax: number;

  /** @param atOnce number of requests that are started together */
  constructor(atOnce = atOnceMax) {
    this.#atOnceMax = atOnce;
  }

  /** Resolves when it is the caller's turn, with what is so then. */
  turn<T>(value: () => T): Promise<T> {
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(value()));
      if (this.#waiting.length === 1) setImmediate(this.#begin);
    });
  }

  readonly #begin = (): void => {
    const begun = this.#waiting.splice(0, this.#atOnceMax);
    if (this.#waiting.length > 0) setImmediate(this.#begin);
    for (const resolve of begun) resolve();
  };
}
