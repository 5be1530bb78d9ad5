import { keepingMetadata } from '../definition/kept-metadata.ts';
import type { SelectableField } from '../../crd/index.ts';
import {
  type FieldError,
  forbidden,
  isObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { containerWarnings } from '../rules/validate-container.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { completePodSpec, podSpecErrors } from '../rules/pod-spec.ts';
import { podChangeErrors, podStatusErrors } from './validate-pod-change.ts';
import { bindable } from './pod-binding.ts';
import { ephemeralContainers } from './ephemeral-containers.ts';
import { podResize } from './pod-resize.ts';
import { withPodParts } from './pod-part.ts';
import { qosClass } from './qos-class.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

const specOf = (pod: KubeObject) => ownObject(pod, 'spec') ?? {};
const statusOf = (pod: KubeObject) => ownObject(pod, 'status') ?? {};

/** Source: kubernetes, pkg/registry/core/pod/strategy.go. */
function firstAddress(pod: KubeObject): string {
  const status = statusOf(pod);
  const [first] = ownList(status, 'podIPs') ?? [];
  const address = isObject(first) ? ownString(first, 'ip') : undefined;
  return address ?? ownString(status, 'podIP') ?? '';
}

const selectableFields: readonly SelectableField[] = [
  { fieldPath: 'spec.nodeName' },
  { fieldPath: 'spec.restartPolicy' },
  { fieldPath: 'spec.schedulerName' },
  { fieldPath: 'spec.serviceAccountName' },
  {
    fieldPath: 'spec.hostNetwork',
    valueType: 'boolean',
    read: (pod) => String(own(specOf(pod), 'hostNetwork') === true),
    default: 'false',
    description: 'A pod that does not say so is not in the network of its host: "false"',
  },
  { fieldPath: 'status.phase' },
  {
    fieldPath: 'status.podIP',
    read: firstAddress,
    default: '',
    description: 'The first of status.podIPs, or status.podIP where there are none',
  },
  { fieldPath: 'status.nominatedNodeName' },
];

function readyCell(pod: KubeObject): string {
  const ready = (ownList(statusOf(pod), 'containerStatuses') ?? []).filter(
    (one) => isObject(one) && own(one, 'ready') === true,
  );
  return `${ready.length}/${ownList(specOf(pod), 'containers')?.length ?? 0}`;
}

function restarts(pod: KubeObject): number {
  return (ownList(statusOf(pod), 'containerStatuses') ?? []).reduce<number>((sum, one) => {
    const count = isObject(one) ? own(one, 'restartCount') : 0;
    return sum + (typeof count === 'number' ? count : 0);
  }, 0);
}

const graceField = 'terminationGracePeriodSeconds';

/** What pods have and their templates do not. */
function complete(pod: KubeObject): void {
  const spec = ownObject(pod, 'spec');
  completePodSpec(spec);
  if (spec !== undefined) spec['enableServiceLinks'] ??= true;
  if (spec !== undefined && Number(own(spec, graceField) ?? 0) < 0) spec[graceField] = 1;
}

/** Fields of the status that an old client leaves out because it does not know them. */
const keptIfAbsent = [
  'qosClass',
  'observedGeneration',
  'resourceClaimStatuses',
  'extendedResourceClaimStatus',
  'nodeAllocatableResourceClaimStatuses',
];

/** Source: kubernetes, podStatusStrategy.PrepareForUpdate. */
function completeStatus(pod: KubeObject, old: KubeObject): void {
  const status = statusOf(pod);
  for (const field of keptIfAbsent) {
    const before = own(statusOf(old), field);
    if (before !== undefined) status[field] ??= before;
  }
}

/** Fields that a create may not set, or not together with scheduling gates. */
function validateNew(pod: KubeObject): FieldError[] {
  const spec = specOf(pod);
  const isGated = (ownList(spec, 'schedulingGates') ?? []).length > 0;
  const isPlaced = (ownString(spec, 'nodeName') ?? '') !== '';
  return [
    ...((ownList(spec, 'ephemeralContainers') ?? []).length > 0
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(isGated && isPlaced
      ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
  ];
}

/** 0 for a pod without a node and for a terminal pod. Source: kubernetes, podStrategy.CheckGracefulDelete. */
function gracePeriodSeconds(pod: KubeObject, asked: number | undefined): number {
  const hasEnded = ['Succeeded', 'Failed'].includes(ownString(statusOf(pod), 'phase') ?? '');
  const isBound = (ownString(specOf(pod), 'nodeName') ?? '') !== '';
  return isBound && !hasEnded ? (asked ?? Number(own(specOf(pod), graceField) ?? 0)) : 0;
}

const plainPods = ruledStrategy({
  returnsDeleted: true,
  generation: true,
  gracePeriodSeconds,
  firstStatus: (pod) => ({ phase: 'Pending', qosClass: qosClass(pod) }),
  validate: (pod) => podSpecErrors('spec', specOf(pod)),
  validateNew,
  validateChange: podChangeErrors,
  validateStatus: podStatusErrors,
  prepareStatus: completeStatus,
  warn: (pod) => containerWarnings('spec', specOf(pod)),
});

/** A plain object: it is neither scheduled nor run. */
export const podKind: BuiltInKind = keepingMetadata(
  {
    strategy: withPodParts(bindable(plainPods), {
      ephemeralcontainers: ephemeralContainers,
      resize: podResize,
    }),
    resetFields: {
      // Upstream's strategies name fields, but their storage does not hand them on.
      ephemeralcontainers: [],
      resize: [],
    },
    type: builtInType({
      group: '',
      version: 'v1',
      kind: 'Pod',
      resource: 'pods',
      namespaced: true,
      shortNames: ['po'],
      categories: ['all'],
      status: true,
      furtherSubresources: [
        { name: 'ephemeralcontainers', verbs: ['get', 'patch', 'update'] },
        { name: 'resize', verbs: ['get', 'patch', 'update'] },
      ],
      selectableFields,
      complete,
      columns: [
        column('Ready', '', { read: readyCell, description: 'The number of ready and all containers.' }),
        column('Status', '', {
          read: (pod) => ownString(statusOf(pod), 'reason') ?? ownString(statusOf(pod), 'phase') ?? '',
          description: 'The phase, or its reason.',
        }),
        column('Restarts', '', {
          type: 'integer',
          read: restarts,
          description: 'The number of restarts of its containers.',
        }),
        ageColumn,
      ],
    }),
  },
  ['deletionTimestamp', 'ownerReferences'],
);
