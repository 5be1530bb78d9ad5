/** The number of requests started together: enough to share their steps, few enough not to delay the first. */
const atOnceMax = 16;
/** The number of flows whose only request starts on arrival, per turn of the event loop. */
const aheadMax = 8;

interface Waiting {
  readonly begin: () => void;
  next: Waiting | undefined;
}

/** Waiting requests of one flow, in order of arrival. A linked list: an array would never shrink after a flood. */
class Flow {
  #first: Waiting | undefined;
  #last: Waiting | undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  add(begin: () => void): void {
    const waiting: Waiting = { begin, next: undefined };
    if (this.#last === undefined) this.#first = waiting;
    else this.#last.next = waiting;
    this.#last = waiting;
  }

  /** Starts the first request. */
  beginNext(): void {
    const first = this.#first;
    this.#first = first?.next;
    if (this.#first === undefined) this.#last = undefined;
    first?.begin();
  }
}

/**
 * Starts a few requests per turn of the event loop. Requests that arrive together then go through each step together,
 * which costs a fifth to a third less than one after the other. The storage calls of the first ones are sent while the
 * next ones are processed: Node writes nothing before it has read all readable sockets.
 *
 * Flows take turns: one with hundreds of requests does not delay another. Waiting requests have been read from their
 * sockets; a client sends no more before its response, so that a round is short even with thousands of connections.
 *
 * The first request of a flow in a turn starts at once if none of the flow waits: a user with few requests then waits for one
 * turn instead of three, each of which may have the work of a flood.
 */
export class Intake {
  /** In the order of their turns. */
  readonly #flows = new Map<string, Flow>();
  readonly #atOnceMax: number;
  /** The flows that had a request start on arrival in this turn. */
  readonly #ahead = new Set<string>();
  #isDue = false;

  /** @param atOnce number of requests that are started together */
  constructor(atOnce = atOnceMax) {
    this.#atOnceMax = atOnce;
  }

  /**
   * Resolves when it is the caller's turn, with the state at that time.
   *
   * @param flow requests of a flow start in order; flows do not wait for each other
   */
  turn<T>(flow: string, value: () => T): Promise<T> {
    return this.#goesAhead(flow) ? Promise.resolve(value()) : this.nextTurn(flow, value);
  }

  /** {@link turn}, never on arrival. */
  nextTurn<T>(flow: string, value: () => T): Promise<T> {
    this.#beginSoon();
    return new Promise((resolve) => this.#flowOf(flow).add(() => resolve(value())));
  }

  #goesAhead(flow: string): boolean {
    if (this.#flows.has(flow) || this.#ahead.has(flow) || this.#ahead.size >= aheadMax) return false;
    this.#ahead.add(flow);
    this.#beginSoon();
    return true;
  }

  #beginSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(this.#begin);
  }

  #flowOf(name: string): Flow {
    const known = this.#flows.get(name);
    if (known !== undefined) return known;
    const made = new Flow();
    this.#flows.set(name, made);
    return made;
  }

  readonly #begin = (): void => {
    this.#isDue = false;
    this.#ahead.clear();
    for (let left = this.#atOnceMax; left > 0; left -= 1) {
      const [next] = this.#flows;
      if (next === undefined) return;
      const [name, flow] = next;
      flow.beginNext();
      this.#flows.delete(name);
      if (!flow.isEmpty) this.#flows.set(name, flow);
    }
    if (this.#flows.size > 0) this.#beginSoon();
  };
}
