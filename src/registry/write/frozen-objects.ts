import type { ViewEntry } from '../../cache/index.ts';
import { type FieldGate, type FieldGates, holdsField, type ResourceType } from '../../crd/index.ts';
import { prefixRange } from '../../storage/index.ts';
import { limits, type Slices } from '../../meta/index.ts';
import { decodeUnconverted, type Representations } from '../representation/representation.ts';
import type { Resource } from '../resource/resource.ts';

/** The number of stored objects with a field whose gate is off, which therefore cannot change. */
export interface FrozenObjects {
  readonly gate: FieldGate;
  readonly objects: number;
}

export interface FrozenCountOptions {
  readonly signal: AbortSignal;
  readonly fresh: 'latest' | 'cached';
}

/** The gates that freeze fields of an object. */
type Holding = readonly FieldGate[];

const nothing: Holding = Object.freeze([]);

/**
 * Counts the objects with frozen fields. Results are cached for each object while it and the gates do not change, so
 * that only the first count reads all objects.
 */
export class FrozenObjectCounts {
  readonly #slices: Slices | undefined;
  readonly #known = new WeakMap<FieldGates, WeakMap<ViewEntry<Representations>, Holding>>();

  constructor(slices: Slices | undefined) {
    this.#slices = slices;
  }

  /**
   * The counts for the gates of a resource that are off, from the objects in the live view.
   *
   * @param fresh `latest` first asks the storage for its revision; `cached` does not, for frequent callers
   * @throws {DOMException} when the signal aborts it
   */
  async of(resource: Resource, { signal, fresh }: FrozenCountOptions): Promise<FrozenObjects[]> {
    const { type } = resource;
    const off = type.fieldGates?.gates.filter(({ enabled }) => !enabled) ?? [];
    if (type.fieldGates === undefined || off.length === 0) return [];
    const known = this.#knownFor(type.fieldGates);
    const counts = new Map(off.map((gate) => [gate, 0]));
    const wait = { signal, timeoutMs: limits.freshnessWaitMsMax };
    await (fresh === 'latest' ? resource.view.consistent(wait) : resource.view.ready(wait));
    for (const entry of resource.view.snapshot().range(prefixRange(resource.key('', '')))) {
      let holding = known.get(entry);
      if (holding === undefined) {
        const pause = this.#slices?.pause();
        if (pause !== undefined) await pause;
        signal.throwIfAborted();
        holding = holdingOf(entry, type, off);
        known.set(entry, holding);
      }
      for (const gate of holding) counts.set(gate, (counts.get(gate) ?? 0) + 1);
    }
    return off.map((gate) => ({ gate, objects: counts.get(gate) ?? 0 }));
  }

  #knownFor(gates: FieldGates): WeakMap<ViewEntry<Representations>, Holding> {
    const known = this.#known.get(gates) ?? new WeakMap<ViewEntry<Representations>, Holding>();
    this.#known.set(gates, known);
    return known;
  }
}

function holdingOf(entry: ViewEntry<Representations>, type: ResourceType, off: Holding): Holding {
  const object = decodeUnconverted(entry.value, type);
  const holding = off.filter(({ fieldPaths }) => fieldPaths.some((path) => holdsField(object, path)));
  return holding.length === 0 ? nothing : holding;
}
