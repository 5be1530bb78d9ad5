const retryAfterSecondsMax = 32;

/**
 * The retry-after of rejected requests: doubled while many are rejected, a second less while few are.
 * Source: apiserver, util/flowcontrol/dropped_requests_tracker.go.
 */
export class DroppedRequests {
  #history: { readonly second: number; readonly requests: number }[] = [];
  #second = 0;
  #inSecond = 0;
  #changedSecond = 0;
  #retryAfterSeconds = 1;

  get retryAfterSeconds(): number {
    return this.#retryAfterSeconds;
  }

  record(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === this.#second) {
      this.#inSecond += 1;
      return;
    }
    const kept = Math.min(2 * this.#retryAfterSeconds, retryAfterSecondsMax);
    this.#history.push({ second: this.#second, requests: this.#inSecond });
    this.#history = this.#history.filter((one) => this.#second - one.second <= kept);
    this.#second = second;
    this.#inSecond = 1;
    this.#adjust(second);
  }

  #adjust(second: number): void {
    const wait = this.#retryAfterSeconds;
    const recent = this.#history.filter((one) => second - one.second <= wait && one.second < second);
    const dropped = recent.reduce((sum, { requests }) => sum + requests, 0);
    if (second - this.#changedSecond >= wait && dropped >= 3 * wait) {
      this.#retryAfterSeconds = Math.min(2 * wait, retryAfterSecondsMax);
      this.#changedSecond = second;
    } else if (dropped < wait && wait > 1) this.#retryAfterSeconds = wait - 1;
  }
}
