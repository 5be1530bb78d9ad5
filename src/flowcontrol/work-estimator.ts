/** The properties of a request that predict its work. */
interface WorkKind {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** The body size of a write in bytes; the limit of a list, 0 for all objects. */
  readonly size: number;
}

/** The CPU time that counts as one seat. */
const seatMs = 1;
/** The weight of one measurement in the moving average. */
const learningRate = 0.2;
/** The first requests of a kind are all measured, then one in this many. */
const firstMeasured = 4;
const measureEvery = 16;
/** The maximum number of kinds of work; requests of further kinds take one seat. */
const kindsMax = 2_000;

/** The work of one kind of request. */
export class Work {
  #seen = 0;
  #workMs: number | undefined;

  /** The number of seats that a request takes; limited to its level's maximum per request. */
  seats(seatsMax: number): number {
    return Math.max(1, Math.min(Math.round((this.#workMs ?? 0) / seatMs), seatsMax));
  }

  /** Whether to measure the next request: measuring a small read adds a tenth to its time. */
  isMeasured(): boolean {
    this.#seen += 1;
    return this.#seen <= firstMeasured || this.#seen % measureEvery === 0;
  }

  /** Records the CPU time of one request. */
  learn(workMs: number): void {
    const before = this.#workMs ?? workMs;
    this.#workMs = before + learningRate * (workMs - before);
  }
}

/**
 * Learns the seats of requests from the CPU time of similar ones. A get takes one seat; a list whose objects take 5 ms
 * takes five.
 */
export class WorkEstimator {
  readonly #kinds = new Map<string, Work>();

  workOf(kind: WorkKind): Work {
    const key = keyOf(kind);
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    const made = new Work();
    if (this.#kinds.size < kindsMax) this.#kinds.set(key, made);
    return made;
  }
}

/** Sizes are classified by powers of four. */
function keyOf({ verb, group, resource, size }: WorkKind): string {
  const power = size <= 0 ? 0 : Math.ceil(Math.log2(size) / 2);
  return `${verb} ${group}/${resource} ${power}`;
}
