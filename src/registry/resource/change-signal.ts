import { setMaxListeners } from 'node:events';

const reason = 'the resource changed';

/**
 * Tells the watches of a resource that it has changed. The signal is made when somebody asks for it: a server has dozens of
 * resources that nobody ever looks at, and a fork for each test has them all.
 */
export class ChangeSignal {
  #controller: AbortController | undefined;
  #isGiven = false;

  get signal(): AbortSignal {
    this.#controller ??= this.#made();
    return this.#controller.signal;
  }

  /** Whether it was given. */
  get given(): boolean {
    return this.#isGiven;
  }

  /** Gives the signal, to those who come later too. */
  give(): void {
    this.#isGiven = true;
    this.#controller?.abort(reason);
  }

  #made(): AbortController {
    const controller = new AbortController();
    // Every watch listens: a thousand listeners are no leak.
    setMaxListeners(0, controller.signal);
    if (this.#isGiven) controller.abort(reason);
    return controller;
  }
}
