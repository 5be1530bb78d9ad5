/**
 * Turns at writing one object. Writers are not equally quick: one who has lost against the others again and again takes
 * the turn, and who comes then waits until it is over. So nobody loses for ever, and while nobody loses, nobody waits.
 */
export class WriteTurns {
  readonly #held = new Map<string, Promise<void>>();

  /** Settles when the turn that somebody has is over; undefined where nobody has it. */
  held(key: string): Promise<void> | undefined {
    return this.#held.get(key);
  }

  /** Takes the turn when it is free. Gives back what ends it. */
  async take(key: string): Promise<() => void> {
    for (let held = this.#held.get(key); held !== undefined; held = this.#held.get(key)) await held;
    let settle = () => {};
    const turn = new Promise<void>((resolve) => {
      settle = resolve;
    });
    this.#held.set(key, turn);
    return () => {
      this.#held.delete(key);
      settle();
    };
  }
}
