import { tooManyRequestsError } from '../../meta/index.ts';
import type { MetricFamily } from '../metrics/index.ts';

/** Bounds of watches; `limits` has their values. */
interface WatchLimits {
  readonly watchesMax: number;
  readonly watchesPerUserMax: number;
}

/** A watch lasts: to ask again at once is of no use. */
const retryAfterSeconds = 5;

/** How many watches are open, of each user and together. */
export class WatchCounts {
  readonly #limits: WatchLimits;
  readonly #ofUser = new Map<string, number>();
  #open = 0;
  #refused = 0;

  constructor(limits: WatchLimits) {
    this.#limits = limits;
  }

  /**
   * Counts a watch; what it gives ends that.
   *
   * @throws {StatusError} 429 where the user, or all users together, have as many as they may
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

  /** What `/metrics` shows. */
  families(): readonly MetricFamily[] {
    return [
      {
        kind: 'gauge',
        name: 'ilk_open_watches',
        help: 'Watches that are open over the network.',
        labelNames: [],
        read: () => [{ labels: {}, value: this.#open }],
      },
      {
        kind: 'counter',
        name: 'ilk_refused_watches_total',
        help: 'Watches that were refused because too many are open.',
        labelNames: [],
        read: () => [{ labels: {}, value: this.#refused }],
      },
    ];
  }
}
