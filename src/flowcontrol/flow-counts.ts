/** Why a request was rejected. */
export type RejectReason = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';

/** A cumulative histogram of durations or sizes. */
export class Buckets {
  readonly bounds: readonly number[];
  /** The number of values between a bound and the bound before it. */
  readonly #between: number[];
  sum = 0;
  count = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.#between = bounds.map(() => 0);
  }

  /** The number of values up to each bound. */
  get counts(): number[] {
    let total = 0;
    return this.#between.map((count) => {
      total += count;
      return total;
    });
  }

  /** @param times how often the value occurred */
  observe(value: number, times = 1): void {
    this.sum += value * times;
    this.count += times;
    const { bounds } = this;
    // Most values are small.
    for (let at = 0; at < bounds.length; at += 1) {
      if (value > (bounds[at] ?? 0)) continue;
      this.#between[at] = (this.#between[at] ?? 0) + times;
      return;
    }
  }
}

const secondsBounds = [0.002, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const executionSecondsBounds = [...secondsBounds, 60];
const seatBounds = [1, 2, 4, 10];

/** The counters of a schema's requests in one level. */
export class FlowCounts {
  dispatched = 0;
  readonly rejected: Record<RejectReason, number> = {
    'queue-full': 0,
    'concurrency-limit': 0,
    'time-out': 0,
    cancelled: 0,
  };
  waitingRequests = 0;
  waitingSeats = 0;
  executingRequests = 0;
  executingSeats = 0;
  readonly waitSeconds = new Buckets(secondsBounds);
  readonly executionSeconds = new Buckets(executionSecondsBounds);
  readonly estimatedSeats = new Buckets(seatBounds);
}
