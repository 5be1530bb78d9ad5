import { tooManyRequestsError } from '../../meta/index.ts';
import type { MetricFamily } from '../metrics/index.ts';

/** Limits of watches over the network; `limits` has their values. */
export interface WatchLimits {
  readonly watchesMax: number;
  readonly watchesPerUserMax: number;
}

/** Watches are long-lived: an immediate retry would not succeed. */
const retryAfterSeconds = 5;

/** Counts open watches, per user and in total. */
export class WatchCounts {
  readonly #limits: WatchLimits;
  readonly #ofUser = new Map<string, number>();
  #open = 0;
  #refused = 0;

  constructor(limits: WatchLimits) {
    this.#limits = limits;
  }

  /**
   * Counts a watch; returns the function that ends it.
   *
   * @throws {StatusError} 429 if the user, or all users together, have reached their limit
   */
  begin(user: string): () => void {
    const { watchesMax, watchesPerUserMax } = this.#limits;
    const own = this.#ofUser.get(user) ?? 0;
    if (own >= watchesPerUserMax) throw this.#refusal(`user ${JSON.stringify(user)} has`, own);
    if (this.#open >= watchesMax) throw this.#refusal('this server has', this.#open);
    this.#ofUser.set(user, own + 1);
    this.#open += 1;
    return () => this.#end(user);
  }

  #end(user: string): void {
    this.#open -= 1;
    const left = (this.#ofUser.get(user) ?? 0) - 1;
    if (left > 0) this.#ofUser.set(user, left);
    else this.#ofUser.delete(user);
  }

  #refusal(who: string, count: number): Error {
    this.#refused += 1;
    return tooManyRequestsError(`${who} ${count} watches open, which is the limit`, retryAfterSeconds);
  }

  /** The metrics of `/metrics`. */
  families(): readonly MetricFamily[] {
    return [
      {
        kind: 'gauge',
        name: 'ilk_open_watches',
        help: 'Number of open watches.',
        labelNames: [],
        read: () => [{ labels: {}, value: this.#open }],
      },
      {
        kind: 'counter',
        name: 'ilk_refused_watches_total',
        help: 'Watches refused because too many are open.',
        labelNames: [],
        read: () => [{ labels: {}, value: this.#refused }],
      },
    ];
  }
}
