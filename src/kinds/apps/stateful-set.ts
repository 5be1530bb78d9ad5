import {
  checkDnsLabel,
  declared,
  dnsLabelName,
  type FieldError,
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
import { invalidStrategy, type RollingUpdateFields, rollingUpdateStruct } from './unknown-strategy.ts';
import { immutableErrors, specOf } from '../rules/workload.ts';
import { readyOfWantedColumn, wideColumns } from '../definition/workload-columns.ts';
import { workloadKind } from './workload-kind.ts';

/** In upstream's order, after all other errors. Source: kubernetes, pkg/apis/apps/validation, ValidateStatefulSetUpdate. */
function validateChange(statefulSet: KubeObject, old: KubeObject): FieldError[] {
  const errors = immutableErrors(statefulSet, withTypedClaims(old), ...immutable);
  return errors.map(declared);
}

const immutable = ['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'] as const;

const claimTemplates = 'volumeClaimTemplates';
const claimType: JsonObject = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
const claimsOf = (spec: JsonObject) => (ownList(spec, claimTemplates) ?? []).filter(isObject);

/** Claims say their type. Source: kubernetes, pkg/apis/apps/v1/conversion.go. */
function completeClaims(statefulSet: KubeObject): void {
  for (const claim of claimsOf(specOf(statefulSet))) Object.assign(claim, claimType);
}

/** Claims that earlier versions of Ilk stored have no type. */
function withTypedClaims(statefulSet: KubeObject): KubeObject {
  const spec = specOf(statefulSet);
  const claims = claimsOf(spec).map((claim) => ({ ...claim, ...claimType }));
  return claims.length === 0 ? statefulSet : { ...statefulSet, spec: { ...spec, [claimTemplates]: claims } };
}

/** Its claims are volumes of its pods. */
function withClaims(statefulSet: KubeObject): JsonObject {
  const template = ownObject(specOf(statefulSet), 'template') ?? {};
  const claims = claimsOf(specOf(statefulSet));
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
const ahead: readonly KindRule[] = [
  managementErrors,
  strategyErrors,
  { path: 'spec.persistentVolumeClaimRetentionPolicy.whenDeleted', oneOf: ['Retain', 'Delete'] },
  { path: 'spec.persistentVolumeClaimRetentionPolicy.whenScaled', oneOf: ['Retain', 'Delete'] },
  claimTemplateErrors,
  { path: 'spec.replicas', min: 0 },
  { path: 'spec.minReadySeconds', min: 0 },
  { path: 'spec.ordinals.start', min: 0 },
  serviceNameErrors,
];

function managementErrors(statefulSet: KubeObject): FieldError[] {
  const management = own(specOf(statefulSet), 'podManagementPolicy') ?? '';
  if (management === 'OrderedReady' || management === 'Parallel') return [];
  return [invalid('spec.podManagementPolicy', management, "must be 'OrderedReady' or 'Parallel'")];
}

function claimTemplateErrors(statefulSet: KubeObject): FieldError[] {
  return eachIn('spec', specOf(statefulSet), claimTemplates, (claim, path) =>
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

const updateFields: RollingUpdateFields = [
  ['partition', 'Partition', 0],
  ['maxUnavailable', 'MaxUnavailable', null],
];

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
          valueText: JSON.stringify(rollingUpdateStruct(update, updateFields)),
        },
      ];
    case 'RollingUpdate':
      return [
        ...notNegativeAt(`${path}.rollingUpdate`, update ?? {}, 'partition'),
        ...maxUnavailableErrors(`${path}.rollingUpdate.maxUnavailable`, update ?? {}),
      ];
    default:
      return [
        invalidStrategy(path, strategy, {
          detail: "must be 'RollingUpdate' or 'OnDelete'",
          fields: updateFields,
        }),
      ];
  }
}

export const statefulSetKind = workloadKind({
  kind: 'StatefulSet',
  resource: 'statefulsets',
  shortNames: ['sts'],
  selector: { calledInTexts: 'statefulset', isRequired: true, unreadable: '' },
  nameRule: dnsLabelName,
  complete: completeClaims,
  templateOf: 'StatefulSet',
  readTemplate: withClaims,
  statusCounts: {
    all: ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    ofReplicas: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
  },
  ahead,
  scales: true,
  counts: {},
  rollingUpdate: { field: 'updateStrategy', defaults: { partition: 0, maxUnavailable: 1 }, onlyGiven: true },
  firstStatus: { replicas: 0, availableReplicas: 0 },
  validateChange,
  columns: [readyOfWantedColumn],
  wide: wideColumns,
});
