import { type JsonObject, type KubeObject, ownList, ownObject } from '../../meta/index.ts';
import { indexOfGate, listGates } from './listed-gate.ts';

const gatesPath = '/spec/customFeatureGates/featureGates';

/**
 * The JSON patch that turns a gate of a CRD; empty where there is nothing to reset. It tests the name first: the gate may have
 * moved since the CRD was read, and then nothing is changed.
 *
 * @param enabled undefined leaves the gate to its default
 */
export function turnOperations(crd: KubeObject, name: string, enabled: boolean | undefined): JsonObject[] {
  const path = `${gatesPath}/${indexOfGate(crd, name)}`;
  const test = { op: 'test', path: `${path}/name`, value: name };
  if (enabled !== undefined) return [test, { op: 'add', path: `${path}/enabled`, value: enabled }];
  const isSet = listGates([crd]).find((gate) => gate.name === name)?.set !== undefined;
  return isSet ? [test, { op: 'remove', path: `${path}/enabled` }] : [];
}

/** The CRD as it is once a gate of it is turned. */
export function withTurnedGate(crd: KubeObject, name: string, enabled: boolean | undefined): KubeObject {
  const spec = ownObject(crd, 'spec') ?? {};
  const custom = ownObject(spec, 'customFeatureGates') ?? {};
  const at = indexOfGate(crd, name);
  const featureGates = (ownList(custom, 'featureGates') ?? []).map((gate, index) => {
    if (index !== at) return gate;
    const { enabled: _, ...rest } = gate as JsonObject;
    return enabled === undefined ? rest : { ...rest, enabled };
  });
  return { ...crd, spec: { ...spec, customFeatureGates: { ...custom, featureGates } } };
}
