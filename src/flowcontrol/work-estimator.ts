/** What a request is about, as far as it tells how much work it will be. */
interface WorkKind {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Bytes of the body of a write; how many objects a list asks for at the most, or all where that is 0. */
  readonly size: number;
}

/** So much work of the thread is one seat. */
const seatMs = 1;
/** How far one measurement moves what is expected. */
const learningRate = 0.2;
/** The first requests of a kind are all measured, then one of so many. */
const firstMeasured = 4;
const measureEvery = 16;
/** Kinds of work that are told apart; the others count as one seat each. */
const kindsMax = 2_000;

/** The work of requests of one kind. */
export class Work {
  #seen = 0;
  #workMs: number | undefined;

  /** How many seats such a request needs; at most as many as its level gives to one. */
  seats(seatsMax: number): number {
    return Math.max(1, Math.min(Math.round((this.#workMs ?? 0) / seatMs), seatsMax));
  }

  /** Whether the next request is to be measured: to measure all would cost a small read a tenth of its time. */
  isMeasured(): boolean {
    this.#seen += 1;
    return this.#seen <= firstMeasured || this.#seen % measureEvery === 0;
  }

  /** How long the thread worked on one of them. */
  learn(workMs: number): void {
    const before = this.#workMs ?? workMs;
    this.#workMs = before + learningRate * (workMs - before);
  }
}

/**
 * Learns how many seats requests need: from how long the thread worked on those like them. A read of one object is one
 * seat; a list of so many objects as take 5 ms is five.
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

/** Sizes are told apart by their power of four. */
function keyOf({ verb, group, resource, size }: WorkKind): string {
  const power = size <= 0 ? 0 : Math.ceil(Math.log2(size) / 2);
  return `${verb} ${group}/${resource} ${power}`;
}
