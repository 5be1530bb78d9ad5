import { equal, type FieldError, forbidden, type KubeObject, own } from '../../meta/index.ts';
import { specOf } from './workload.ts';
import { readyOfWantedColumn, wideColumns } from './workload-columns.ts';
import { workloadKind } from './workload-kind.ts';

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

export const statefulSetKind = workloadKind({
  kind: 'StatefulSet',
  resource: 'statefulsets',
  shortNames: ['sts'],
  calledInTexts: 'statefulset',
  scales: true,
  counts: { first: ['replicas', 'minReadySeconds'] },
  rollingUpdate: { field: 'updateStrategy', defaults: { partition: 0 } },
  firstStatus: { replicas: 0, availableReplicas: 0 },
  validateChange,
  columns: [readyOfWantedColumn],
  wide: wideColumns,
});
