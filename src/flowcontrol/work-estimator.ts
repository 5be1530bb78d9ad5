/** What a request is about, as far as it tells how much work it will be. */
export interface WorkKind {
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

interface Learned {
  seen: number;
  /** Undefined before the first measurement. */
  workMs: number | undefined;
}

/**
 * Learns how many seats requests need: from how long the thread worked on those like them. A read of one object is one
 * seat; a list of so many objects as take 5 ms is five.
 */
export class WorkEstimator {
  readonly #kinds = new Map<string, Learned>();

  /** @param seatsMax the most that the level gives one request */
  seatsOf(kind: WorkKind, seatsMax: number): number {
    const workMs = this.#kinds.get(keyOf(kind))?.workMs ?? 0;
    return Math.max(1, Math.min(Math.round(workMs / seatMs), seatsMax));
  }

  /** Whether this request is to be measured: to measure all would cost a small read a tenth of its time. */
  isMeasured(kind: WorkKind): boolean {
    const key = keyOf(kind);
    const known = this.#kinds.get(key) ?? this.#add(key);
    if (known === undefined) return false;
    known.seen += 1;
    return known.seen <= firstMeasured || known.seen % measureEvery === 0;
  }

  /** How long the thread worked on a request. */
  learn(kind: WorkKind, workMs: number): void {
    const known = this.#kinds.get(keyOf(kind));
    if (known === undefined) return;
    const before = known.workMs ?? workMs;
    known.workMs = before + learningRate * (workMs - before);
  }

  #add(key: string): Learned | undefined {
    if (this.#kinds.size >= kindsMax) return undefined;
    const made = { seen: 0, workMs: undefined };
    this.#kinds.set(key, made);
    return made;
  }
}

/** Sizes are told apart by their power of four. */
function keyOf({ verb, group, resource, size }: WorkKind): string {
  const power = size <= 0 ? 0 : Math.ceil(Math.log2(size) / 2);
  return `${verb} ${group}/${resource} ${power}`;
}
