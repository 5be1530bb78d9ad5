import { compileFieldGates, type FieldGate } from '../../crd/index.ts';
import {
  isObject,
  type JsonObject,
  type KubeObject,
  nameOf,
  own,
  ownList,
  ownObject,
} from '../../meta/index.ts';

/** A gate on fields, and where it stands. */
export interface ListedGate extends FieldGate {
  /** The name of the CRD. */
  readonly crd: string;
  readonly group: string;
  /** What `enabled` says; undefined where nobody has set it. */
  readonly set: boolean | undefined;
}

/** The gates of some CRDs, by the names of the CRDs and in their order. */
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

/** Where a gate stands in a CRD; -1 where it does not. */
export function indexOfGate(crd: KubeObject, name: string): number {
  return rawGates(ownObject(crd, 'spec') ?? {}).findIndex((gate) => own(gate, 'name') === name);
}

function rawGates(spec: JsonObject): JsonObject[] {
  const custom = ownObject(spec, 'customFeatureGates');
  return (custom === undefined ? [] : (ownList(custom, 'featureGates') ?? [])).filter((gate) =>
    isObject(gate),
  );
}
