import { type CrdCondition, compileFieldGates } from '../crd/index.ts';
import { type KubeObject, metadataOf, metadataString, own, ownObject } from '../meta/index.ts';
import type { ControllerParts } from './controller-parts.ts';

interface Report {
  readonly state: string;
  /** Undefined where no object holds a frozen field. */
  readonly condition: CrdCondition | undefined;
}

const nothingFrozen: Report = Object.freeze({ state: '', condition: undefined });

/**
 * The condition `FieldsFrozen` of each CRD: how many objects hold fields of gates that are off. They are counted once
 * for each state of the spec: no object gets such a field while the gate is off, so there can only be fewer later.
 */
export class FrozenFieldReports {
  readonly #known = new Map<string, Report>();

  /** Undefined where it has to be counted. */
  of(name: string, crd: KubeObject): Report | undefined {
    const gates = compileFieldGates(ownObject(crd, 'spec') ?? {})?.gates ?? [];
    if (gates.every(({ enabled }) => enabled)) return nothingFrozen;
    const known = this.#known.get(name);
    return known?.state === stateOf(crd) ? known : undefined;
  }

  async count(name: string, crd: KubeObject, { registry, signal }: ControllerParts): Promise<void> {
    await registry.freshCatalog();
    const rows = await registry.frozenObjects({ signal, fresh: 'latest' }, name);
    const holding = rows.filter(({ objects }) => objects > 0);
    const counts = holding.map(({ gate, objects }) => `${gate.name} (${objects})`).join(', ');
    const message = `objects hold fields of feature gates that were disabled: ${counts}`;
    const condition: CrdCondition = {
      type: 'FieldsFrozen',
      status: 'True',
      reason: 'FeatureGatesDisabled',
      message,
    };
    this.#known.set(name, {
      state: stateOf(crd),
      condition: holding.length === 0 ? undefined : condition,
    });
  }

  forget(name: string): void {
    this.#known.delete(name);
  }
}

/** The generation moves with the spec. */
function stateOf(crd: KubeObject): string {
  return `${metadataString(crd, 'uid')} ${String(own(metadataOf(crd), 'generation'))}`;
}
