/** A level's demand for seats over a period. */
export interface SeatDemand {
  readonly average: number;
  readonly deviation: number;
  readonly highWatermark: number;
}

/** Integrates a number over time. Source: apiserver, util/flowcontrol/fairqueuing/integrator.go. */
export class SeatDemandIntegrator {
  #value = 0;
  #sinceMs: number;
  #elapsedMs = 0;
  #sum = 0;
  #sumOfSquares = 0;
  #max = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  set(value: number, nowMs: number): void {
    this.#advance(nowMs);
    this.#value = value;
    if (value > this.#max) this.#max = value;
  }

  /** The statistics since the last call; starts a new period. */
  reset(nowMs: number): SeatDemand {
    this.#advance(nowMs);
    const elapsed = this.#elapsedMs;
    const average = elapsed > 0 ? this.#sum / elapsed : this.#value;
    const variance = elapsed > 0 ? this.#sumOfSquares / elapsed - average * average : 0;
    const demand = { average, deviation: Math.sqrt(Math.max(0, variance)), highWatermark: this.#max };
    this.#elapsedMs = this.#sum = this.#sumOfSquares = 0;
    this.#max = this.#value;
    return demand;
  }

  #advance(nowMs: number): void {
    const passed = Math.max(0, nowMs - this.#sinceMs);
    this.#sinceMs = nowMs;
    this.#elapsedMs += passed;
    this.#sum += passed * this.#value;
    this.#sumOfSquares += passed * this.#value * this.#value;
  }
}

/** Half-life: five minutes, with an adjustment every ten seconds. */
const smoothing = 0.977;

/** Follows rising demand immediately, falling demand slowly. Source: KEP-1040, seat borrowing. */
export function smoothedDemand(before: number, { average, deviation }: SeatDemand): number {
  const envelope = average + deviation;
  return Math.max(envelope, smoothing * before + (1 - smoothing) * envelope);
}
