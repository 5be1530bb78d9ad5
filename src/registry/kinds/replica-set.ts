import type { FieldError, KubeObject } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from './kind.ts';
import { ruledStrategy } from './ruled-strategy.ts';
import {
  alwaysTemplateErrors,
  completeTemplate,
  count,
  immutableErrors,
  notNegative,
  selectorErrors,
  specOf,
  statusOf,
  workloadScale,
} from './workload.ts';
import { selectorColumn, wideColumns } from './workload-columns.ts';

/** Source: kubernetes, pkg/apis/apps/validation, ValidateReplicaSetSpec. */
function validate(replicaSet: KubeObject): FieldError[] {
  return [
    ...notNegative(specOf(replicaSet), 'replicas', 'minReadySeconds'),
    ...selectorErrors(replicaSet, 'ReplicaSet'),
    ...alwaysTemplateErrors(replicaSet),
  ];
}

export const replicaSetKind: BuiltInKind = {
  strategy: ruledStrategy({
    generation: true,
    firstStatus: () => ({ replicas: 0 }),
    validate,
    validateChange: (replicaSet, old) => immutableErrors(replicaSet, old, 'selector'),
  }),
  type: builtInType({
    group: 'apps',
    version: 'v1',
    kind: 'ReplicaSet',
    resource: 'replicasets',
    namespaced: true,
    shortNames: ['rs'],
    categories: ['all'],
    status: true,
    scale: workloadScale,
    selectableFields: [
      {
        fieldPath: 'status.replicas',
        read: (replicaSet) => String(count(statusOf(replicaSet), 'replicas')),
      },
    ],
    complete: completeTemplate,
    columns: [
      column('Desired', '', {
        type: 'integer',
        read: (replicaSet) => count(specOf(replicaSet), 'replicas'),
        description: 'How many pods are wanted.',
      }),
      column('Current', '', {
        type: 'integer',
        read: (replicaSet) => count(statusOf(replicaSet), 'replicas'),
        description: 'How many pods there are.',
      }),
      column('Ready', '', {
        type: 'integer',
        read: (replicaSet) => count(statusOf(replicaSet), 'readyReplicas'),
        description: 'How many pods are ready.',
      }),
      ageColumn,
      ...wideColumns,
      selectorColumn,
    ],
  }),
};
