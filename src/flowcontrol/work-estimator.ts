import type { DigestedResource } from './request-digest.ts';

/** The CPU time that counts as one seat. */
const seatMs = 1;
/** The weight of one measurement in the moving average. */
const learningRate = 0.2;
/** The first requests of a kind are all measured, then one in this many. */
const firstMeasured = 4;
const measureEvery = 16;
/** The maximum number of kinds of work; requests of further kinds take one seat. */
const kindsMax = 2_000;
/** Sizes are classified by powers of four; larger ones share the last class. */
const powerMax = 20;

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
  readonly #isServed: (resource: DigestedResource) => boolean;
  /** By verb, resource, group and power of the size: nested, because making a key takes longer than all else here. */
  readonly #kinds = new Map<string, Map<string, Map<string, Work[]>>>();
  /** Requests that name nothing known. */
  readonly #others = new Map<string, Work>();
  #size = 0;

  /** @param isServed called for a resource that was not seen before: others share one estimate for each verb */
  constructor(isServed: (resource: DigestedResource) => boolean) {
    this.#isServed = isServed;
  }

  /**
   * The work of requests of a kind.
   *
   * @param resource undefined for a non-resource path
   * @param size the body size of a write in bytes; the limit of a list, 0 for all objects
   */
  workOf(verb: string, resource: DigestedResource | undefined, size: number): Work {
    if (resource === undefined) return inMap(this.#others, verb, newWork);
    const power = size <= 0 ? 0 : Math.min(Math.ceil(Math.log2(size) / 2), powerMax);
    const known = this.#kinds.get(verb)?.get(resource.resource)?.get(resource.group)?.[power];
    return known ?? this.#newWork(verb, resource, power);
  }

  #newWork(verb: string, digested: DigestedResource, power: number): Work {
    if (this.#size >= kindsMax || !this.#isServed(digested)) return inMap(this.#others, verb, newWork);
    const { resource, group } = digested;
    const resources = inMap(this.#kinds, verb, () => new Map<string, Map<string, Work[]>>());
    const groups = inMap(resources, resource, () => new Map<string, Work[]>());
    const sizes = inMap(groups, group, (): Work[] => []);
    const made = new Work();
    sizes[power] = made;
    this.#size += 1;
    return made;
  }
}

const newWork = () => new Work();

function inMap<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
