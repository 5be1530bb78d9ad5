import {
  checkDnsLabel,
  equal,
  type FieldError,
  forbidden,
  invalid,
  isObject,
  type JsonObject,
  type KubeObject,
  metadataString,
  own,
  ownList,
  ownObject,
} from '../../meta/index.ts';
import { claimSpecErrors } from '../core/persistent-volume-claim.ts';
import { aboveAllErrors, countIn, countOrPercentErrors } from '../rules/count-or-percent.ts';
import { eachIn, invalidAs, notNegativeAt, textAt } from '../rules/field-checks.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { invalidStrategy } from './unknown-strategy.ts';
import { specOf } from '../rules/workload.ts';
import { readyOfWantedColumn, wideColumns } from '../definition/workload-columns.ts';
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

/** Its claims are volumes of its pods. */
function withClaims(statefulSet: KubeObject): JsonObject {
  const template = ownObject(specOf(statefulSet), 'template') ?? {};
  const claims = (ownList(specOf(statefulSet), 'volumeClaimTemplates') ?? []).filter(isObject);
  if (claims.length === 0) return template;
  const volumes = claims.map((claim): JsonObject => {
    const claimName = metadataString(claim, 'name');
    return { name: claimName, persistentVolumeClaim: { claimName } };
  });
  const names = new Set(volumes.map((volume) => own(volume, 'name')));
  const spec = ownObject(template, 'spec') ?? {};
  const others = (ownList(spec, 'volumes') ?? []).filter(
    (volume) => isObject(volume) && !names.has(own(volume, 'name')),
  );
  return { ...template, spec: { ...spec, volumes: [...volumes, ...others] } };
}

/** Source: kubernetes, pkg/apis/apps/validation, ValidateStatefulSetSpec. */
const rules: readonly KindRule[] = [
  managementErrors,
  strategyErrors,
  { path: 'spec.persistentVolumeClaimRetentionPolicy.whenDeleted', oneOf: ['Retain', 'Delete'] },
  { path: 'spec.persistentVolumeClaimRetentionPolicy.whenScaled', oneOf: ['Retain', 'Delete'] },
  claimTemplateErrors,
  { path: 'spec.ordinals.start', min: 0 },
  serviceNameErrors,
];

function managementErrors(statefulSet: KubeObject): FieldError[] {
  const management = own(specOf(statefulSet), 'podManagementPolicy') ?? '';
  if (management === 'OrderedReady' || management === 'Parallel') return [];
  return [invalid('spec.podManagementPolicy', management, "must be 'OrderedReady' or 'Parallel'")];
}

function claimTemplateErrors(statefulSet: KubeObject): FieldError[] {
  return eachIn('spec', specOf(statefulSet), 'volumeClaimTemplates', (claim, path) =>
    claimSpecErrors(claim).map((error) => ({ ...error, field: `${path}.${error.field}` })),
  );
}

function maxUnavailableErrors(path: string, update: JsonObject): FieldError[] {
  const value = own(update, 'maxUnavailable');
  if (value === undefined) return [];
  const isNegative = typeof value === 'number' && value < 0;
  return [
    ...countOrPercentErrors(path, value),
    ...(countIn(value) === 0 && !isNegative ? [invalid(path, value, 'cannot be 0')] : []),
    ...aboveAllErrors(path, value),
  ];
}

function serviceNameErrors(statefulSet: KubeObject): FieldError[] {
  const name = textAt(specOf(statefulSet), 'serviceName');
  return name === '' ? [] : invalidAs('spec.serviceName', name, checkDnsLabel);
}

function strategyErrors(statefulSet: KubeObject): FieldError[] {
  const strategy = ownObject(specOf(statefulSet), 'updateStrategy') ?? {};
  const path = 'spec.updateStrategy';
  const update = ownObject(strategy, 'rollingUpdate');
  switch (own(strategy, 'type')) {
    case 'OnDelete':
      if (update === undefined) return [];
      return [
        {
          ...invalid(`${path}.rollingUpdate`, {}, "only allowed for updateStrategy 'RollingUpdate'"),
          valueText: JSON.stringify({
            Partition: own(update, 'partition') ?? 0,
            MaxUnavailable: own(update, 'maxUnavailable') ?? null,
          }),
        },
      ];
    case 'RollingUpdate':
      return [
        ...notNegativeAt(`${path}.rollingUpdate`, update ?? {}, 'partition'),
        ...maxUnavailableErrors(`${path}.rollingUpdate.maxUnavailable`, update ?? {}),
      ];
    default:
      return [invalidStrategy(path, strategy, "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

export const statefulSetKind = workloadKind({
  kind: 'StatefulSet',
  resource: 'statefulsets',
  shortNames: ['sts'],
  selector: { calledInTexts: 'statefulset', isRequired: true, unreadable: '' },
  templateOf: 'StatefulSet',
  readTemplate: withClaims,
  statusCounts: {
    all: ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    ofReplicas: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
  },
  rules,
  scales: true,
  counts: { first: ['replicas', 'minReadySeconds'] },
  rollingUpdate: { field: 'updateStrategy', defaults: { partition: 0, maxUnavailable: 1 } },
  firstStatus: { replicas: 0, availableReplicas: 0 },
  validateChange,
  columns: [readyOfWantedColumn],
  wide: wideColumns,
});
