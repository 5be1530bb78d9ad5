import type { GateEffect, ResourceType } from '../../crd/index.ts';

/** How many written fields one gate has dropped and frozen. */
export interface GateCount {
  readonly dropped: number;
  readonly frozen: number;
}

/** The name of the CRD of a resource: `widgets.example.com`. */
export function crdName({ resource, group }: ResourceType): string {
  return `${resource}.${group}`;
}

const nothing: GateCount = Object.freeze({ dropped: 0, frozen: 0 });

/** The effects of field gates on writes since the server started, by CRD and gate. */
export class GateCounts {
  readonly #counts = new Map<string, Map<string, GateCount>>();

  add(crd: string, { kind, gate }: GateEffect): void {
    const gates = this.#counts.get(crd) ?? new Map<string, GateCount>();
    const { dropped, frozen } = gates.get(gate.name) ?? nothing;
    if (kind === 'dropped') gates.set(gate.name, { dropped: dropped + 1, frozen });
    else if (kind === 'frozen' || kind === 'omitted') gates.set(gate.name, { dropped, frozen: frozen + 1 });
    else return;
    this.#counts.set(crd, gates);
  }

  of(crd: string, gate: string): GateCount {
    return this.#counts.get(crd)?.get(gate) ?? nothing;
  }

  /** Removes the counts of deleted CRDs. */
  keepOnly(crds: ReadonlySet<string>): void {
    for (const crd of this.#counts.keys()) if (!crds.has(crd)) this.#counts.delete(crd);
  }
}
