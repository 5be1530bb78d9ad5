import { type JsonObject, type KubeObject, nameOf, own, ownObject } from '../../meta/index.ts';
import { objectsOf } from '../spec-view.ts';
import { compileFieldGates } from './compile-field-gates.ts';
import type { FieldGate } from './field-gate.ts';

/** A gate on fields, and its CRD. */
export interface ListedGate extends FieldGate {
  /** The name of the CRD. */
  readonly crd: string;
  readonly group: string;
  /** The value of `enabled`; undefined if not set. */
  readonly set: boolean | undefined;
}

/** The gates of these CRDs, ordered by CRD name, and as in the CRD. */
export function listGates(crds: readonly KubeObject[]): ListedGate[] {
  const sorted = [...crds].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return sorted.flatMap((crd) => {
    const spec = ownObject(crd, 'spec') ?? {};
    const raws = rawGates(spec);
    return (compileFieldGates(spec)?.gates ?? []).map((gate, index) => {
      const enabled = own(raws[index] ?? {}, 'enabled');
      return {
        ...gate,
        crd: nameOf(crd),
        group: String(own(spec, 'group') ?? ''),
        set: typeof enabled === 'boolean' ? enabled : undefined,
      };
    });
  });
}

/** The index of a gate in a CRD; -1 if there is none. */
export function indexOfGate(crd: KubeObject, name: string): number {
  return rawGates(ownObject(crd, 'spec') ?? {}).findIndex((gate) => own(gate, 'name') === name);
}

function rawGates(spec: JsonObject): readonly JsonObject[] {
  const custom = ownObject(spec, 'customFeatureGates');
  return custom === undefined ? [] : objectsOf(custom, 'featureGates');
}
