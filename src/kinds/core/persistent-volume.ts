import { CelError } from '../../cel/index.ts';
import {
  checkDnsSubdomain,
  equal,
  type FieldError,
  forbidden,
  formatTime,
  invalid,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  notSupported,
  own,
  ownObject,
  ownString,
  required,
} from '../../meta/index.ts';
import type { StrategyContext } from '../strategy/strategy.ts';
import { accessModeErrors, volumeModes } from './validate-access-modes.ts';
import { compareQuantities, invalidAs, textAt } from '../rules/field-checks.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { nameField } from '../definition/name-field.ts';
import { nodeSelectorErrors } from '../rules/validate-node-selector.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { accessModesColumn, capacityColumn } from './volume-columns.ts';
import {
  asItIs,
  backstepErrors,
  csiDriverErrors,
  hostPathErrors,
  nfsErrors,
  oneSourceErrors,
  type SourceCheck,
} from '../rules/validate-volume-source.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { amountOf } from '../typed/canonical-quantity.ts';

/** What a volume may be, in upstream's order. */
const sources: ReadonlyMap<string, SourceCheck> = new Map<string, SourceCheck>([
  ['hostPath', hostPathErrors],
  ['gcePersistentDisk', asItIs],
  ['awsElasticBlockStore', asItIs],
  ['glusterfs', asItIs],
  ['flocker', asItIs],
  ['nfs', nfsErrors],
  ['rbd', asItIs],
  ['quobyte', asItIs],
  ['cephfs', asItIs],
  ['iscsi', asItIs],
  ['cinder', asItIs],
  ['fc', asItIs],
  ['flexVolume', asItIs],
  ['azureFile', asItIs],
  ['vsphereVolume', asItIs],
  ['photonPersistentDisk', asItIs],
  ['portworxVolume', asItIs],
  ['azureDisk', asItIs],
  ['scaleIO', asItIs],
  ['local', localErrors],
  ['storageos', asItIs],
  ['csi', csiErrors],
]);

function localErrors(source: JsonObject, path: string): FieldError[] {
  const where = textAt(source, 'path');
  return where === '' ? [required(`${path}.path`)] : backstepErrors(`${path}.path`, where);
}

function csiErrors(source: JsonObject, path: string): FieldError[] {
  const missing = textAt(source, 'volumeHandle') === '' ? [required(`${path}.volumeHandle`)] : [];
  return [...csiDriverErrors(source, path), ...missing];
}

/** Source: kubernetes, pkg/apis/core/validation, ValidatePersistentVolumeSpec; without what rare sources are held to. */
const rules: readonly KindRule[] = [
  { path: 'spec.accessModes', required: true },
  (volume) => accessModeErrors(specOf(volume)),
  (volume) => capacityErrors(specOf(volume)),
  { path: 'spec.persistentVolumeReclaimPolicy', oneOf: ['Delete', 'Recycle', 'Retain'] },
  (volume) => affinityErrors(specOf(volume)),
  (volume) => volumeErrors(specOf(volume)),
  (volume) => classErrors(specOf(volume)),
  { path: 'spec.volumeMode', oneOf: volumeModes },
];

function classErrors(spec: JsonObject): FieldError[] {
  const name = textAt(spec, 'storageClassName');
  return name === '' ? [] : invalidAs('spec.storageClassName', name, checkDnsSubdomain);
}

function capacityErrors(spec: JsonObject): FieldError[] {
  const capacity = ownObject(spec, 'capacity');
  const size = capacity === undefined ? undefined : own(capacity, 'storage');
  const isSizeAlone = size !== undefined && Object.keys(capacity ?? {}).length === 1;
  return [
    ...(capacity === undefined ? [required('spec.capacity')] : []),
    ...(isSizeAlone ? [] : [notSupported('spec.capacity', capacity ?? null, ['storage'])]),
    ...(size !== undefined && compareQuantities(size) < 0
      ? [invalid('spec.capacity[storage]', wholePart(size), 'must be a valid resource quantity')]
      : []),
    ...(size !== undefined && compareQuantities(size) <= 0
      ? [invalid('spec.capacity[storage]', size, 'must be greater than zero')]
      : []),
  ];
}

/** A quantity below zero as upstream prints it. */
function wholePart(quantity: JsonValue): JsonValue {
  const amount = amountOf(quantity);
  if (amount instanceof CelError) return quantity;
  const { value, scale } = amount;
  if (scale >= 0) return Number(value * 10n ** BigInt(scale));
  const unit = 10n ** BigInt(-scale);
  return Number((value - unit + 1n) / unit);
}

function affinityErrors(spec: JsonObject): FieldError[] {
  const affinity = ownObject(spec, 'nodeAffinity');
  if (affinity === undefined) return [];
  const nodes = ownObject(affinity, 'required');
  if (nodes !== undefined) return nodeSelectorErrors('spec.nodeAffinity.required', nodes);
  return [required('spec.nodeAffinity.required', 'must specify required node constraints')];
}

function volumeErrors(spec: JsonObject): FieldError[] {
  const { errors, count } = oneSourceErrors(spec, 'spec', sources);
  const isHomeless = own(spec, 'local') !== undefined && own(spec, 'nodeAffinity') === undefined;
  const host = ownObject(spec, 'hostPath');
  const isWholeHost = host !== undefined && /^\/+$/.test(textAt(host, 'path'));
  const isRecycled = own(spec, 'persistentVolumeReclaimPolicy') === 'Recycle';
  const why = "may not be 'recycle' for a hostPath mount of '/'";
  return [
    ...errors,
    ...(isHomeless ? [required('spec.nodeAffinity', 'Local volume requires node affinity')] : []),
    ...(count === 0 ? [required('spec', 'must specify a volume type')] : []),
    ...(isWholeHost && isRecycled ? [forbidden('spec.persistentVolumeReclaimPolicy', why)] : []),
  ];
}

const sourceOf = (volume: KubeObject): JsonObject =>
  Object.fromEntries(Object.entries(specOf(volume)).filter(([field]) => sources.has(field)));

/** What it is stays. */
function validateChange(volume: KubeObject, old: KubeObject): FieldError[] {
  const mode = own(specOf(volume), 'volumeMode');
  const path = 'spec.persistentvolumesource';
  const isSame = equal(sourceOf(volume), sourceOf(old));
  return [
    ...(isSame ? [] : [forbidden(path, `${path} is immutable after creation`)]),
    ...(equal(mode, own(specOf(old), 'volumeMode'))
      ? []
      : [invalid('volumeMode', mode ?? null, 'field is immutable')]),
  ];
}

const phaseTime = 'lastPhaseTransitionTime';

/**
 * The server sets the time of the phase, unless the client does.
 * Source: kubernetes, pkg/registry/core/persistentvolume/strategy.go.
 */
function prepareStatus(volume: KubeObject, old: KubeObject, { clock }: StrategyContext): void {
  const [status, before] = [statusOf(volume), statusOf(old)];
  const [time, oldTime] = [own(status, phaseTime), own(before, phaseTime)];
  if (!equal(own(status, 'phase'), own(before, 'phase'))) {
    if (time === undefined || time === oldTime) status[phaseTime] = formatTime(clock.now());
  } else if (time === undefined && oldTime !== undefined) status[phaseTime] = oldTime;
}

function warn(volume: KubeObject): string[] {
  if (own(specOf(volume), 'persistentVolumeReclaimPolicy') !== 'Recycle') return [];
  const instead = 'Instead, the recommended approach is to use dynamic provisioning.';
  return [`spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. ${instead}`];
}

function claimCell(volume: KubeObject): string {
  const claim = ownObject(specOf(volume), 'claimRef');
  return claim === undefined
    ? ''
    : `${ownString(claim, 'namespace') ?? ''}/${ownString(claim, 'name') ?? ''}`;
}

/** No controller binds it to a claim. */
export const persistentVolumeKind: BuiltInKind = {
  strategy: ruledStrategy({
    returnsDeleted: true,
    rules,
    validateChange,
    prepareStatus,
    warn,
    firstStatus: (_, { clock }) => ({ phase: 'Pending', [phaseTime]: formatTime(clock.now()) }),
  }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'PersistentVolume',
    resource: 'persistentvolumes',
    namespaced: false,
    shortNames: ['pv'],
    status: true,
    selectableFields: [nameField],
    columns: [
      capacityColumn(specOf),
      accessModesColumn(specOf),
      column('Reclaim Policy', '.spec.persistentVolumeReclaimPolicy', {
        description: 'The reclaim policy.',
      }),
      column('Status', '.status.phase', { description: 'The phase of the volume.' }),
      column('Claim', '', { read: claimCell, description: 'The bound claim.' }),
      column('StorageClass', '.spec.storageClassName', { description: 'The storage class.' }),
      column('Reason', '.status.reason', { description: 'The reason of the phase.' }),
      ageColumn,
    ],
  }),
};
