import { equal, type FieldError, forbidden, type KubeObject, own, ownObject, put } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from './kind.ts';
import { ruledStrategy } from './ruled-strategy.ts';
import {
  alwaysTemplateErrors,
  completeTemplate,
  count,
  notNegative,
  selectorErrors,
  specOf,
  statusOf,
  workloadScale,
} from './workload.ts';
import { wideColumns } from './workload-columns.ts';

function complete(statefulSet: KubeObject): void {
  completeTemplate(statefulSet);
  const strategy = ownObject(specOf(statefulSet), 'updateStrategy');
  if (strategy === undefined || own(strategy, 'type') !== 'RollingUpdate') return;
  put(strategy, 'rollingUpdate', { partition: 0, ...ownObject(strategy, 'rollingUpdate') });
}

/** Source: kubernetes, pkg/apis/apps/validation, ValidateStatefulSetSpec. */
function validate(statefulSet: KubeObject): FieldError[] {
  return [
    ...notNegative(specOf(statefulSet), 'replicas', 'minReadySeconds'),
    ...selectorErrors(statefulSet, 'statefulset'),
    ...alwaysTemplateErrors(statefulSet),
  ];
}

const changeable: ReadonlySet<string> = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);

const unchangeable =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
  "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

function validateChange(statefulSet: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [specOf(statefulSet), specOf(old)];
  const fields = Object.keys({ ...now, ...before }).filter((field) => !changeable.has(field));
  const same = fields.every((field) => equal(own(now, field), own(before, field)));
  return same ? [] : [forbidden('spec', unchangeable)];
}

export const statefulSetKind: BuiltInKind = {
  strategy: ruledStrategy({
    generation: true,
    firstStatus: () => ({ replicas: 0, availableReplicas: 0 }),
    validate,
    validateChange,
  }),
  type: builtInType({
    group: 'apps',
    version: 'v1',
    kind: 'StatefulSet',
    resource: 'statefulsets',
    namespaced: true,
    shortNames: ['sts'],
    categories: ['all'],
    status: true,
    scale: workloadScale,
    complete,
    columns: [
      column('Ready', '', {
        read: (statefulSet) =>
          `${String(count(statusOf(statefulSet), 'readyReplicas'))}/${String(count(specOf(statefulSet), 'replicas'))}`,
        description: 'How many of the wanted pods are ready.',
      }),
      ageColumn,
      ...wideColumns,
    ],
  }),
};
