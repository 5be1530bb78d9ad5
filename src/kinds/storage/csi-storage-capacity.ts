import {
  checkDnsSubdomain,
  type FieldError,
  invalid,
  type KubeObject,
  own,
  ownObject,
} from '../../meta/index.ts';
import { type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { compareQuantities, invalidAs, textAt } from '../rules/field-checks.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { labelSelectorErrors } from '../rules/validate-label-selector.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Source: kubernetes, pkg/apis/storage/validation. */
const rules: readonly KindRule[] = [
  { path: 'nodeTopology', immutable: true },
  (capacity) => labelSelectorErrors('nodeTopology', ownObject(capacity, 'nodeTopology')),
  { path: 'storageClassName', immutable: true },
  classNameErrors,
  capacityErrors,
];

function classNameErrors(capacity: KubeObject): FieldError[] {
  return invalidAs('storageClassName', textAt(capacity, 'storageClassName'), checkDnsSubdomain);
}

function capacityErrors(capacity: KubeObject): FieldError[] {
  const amount = own(capacity, 'capacity');
  if (amount === undefined || compareQuantities(amount) >= 0) return [];
  return [invalid('capacity', amount, 'must be greater than or equal to 0')];
}

/** The capacity is not used: no pod is scheduled by it. */
export const csiStorageCapacityKind: BuiltInKind = {
  strategy: ruledStrategy({ rules }),
  type: builtInType({
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'CSIStorageCapacity',
    resource: 'csistoragecapacities',
    namespaced: true,
    columns: [
      column('StorageClassName', '.storageClassName', { description: 'The StorageClass.' }),
      column('Capacity', '.capacity', { description: 'The free capacity.' }),
    ],
  }),
};
