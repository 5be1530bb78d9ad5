import { setMaxListeners } from 'node:events';

const reason = 'the resource changed';

/**
 * Notifies the watches of a resource of its changes. The signal is created on first use: a server has dozens of
 * resources that are never read, and a fork for each test has them all.
 */
export class ChangeSignal {
  #controller: AbortController | undefined;
  #isGiven = false;

  get signal(): AbortSignal {
    this.#controller ??= this.#made();
    return this.#controller.signal;
  }

  /** Whether it was raised. */
  get given(): boolean {
    return this.#isGiven;
  }

  /** Raises the signal, also for later callers. */
  give(): void {
    this.#isGiven = true;
    this.#controller?.abort(reason);
  }

  #made(): AbortController {
    const controller = new AbortController();
    // Every watch adds a listener: a thousand listeners are not a leak.
    setMaxListeners(0, controller.signal);
    if (this.#isGiven) controller.abort(reason);
    return controller;
  }
}
