import {
  conflictError,
  formatTime,
  type GroupResource,
  type JsonObject,
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
  type StatusError,
} from '../../meta/index.ts';
import type { RequestContext } from '../request/context.ts';
import type { ResponseObject } from '../representation/response-object.ts';
import { objectTargetOf, type Target } from '../resource/target.ts';
import { changeObject } from '../verbs/change-object.ts';
import type { RegistryParts } from '../write/registry-parts.ts';
import { setPodCondition } from './pod-conditions.ts';

/** The assignment of a pod to a node. */
export interface PodBinding {
  /** The pods of the namespace. */
  readonly pods: Target;
  readonly name: string;
  readonly nodeName: string;
  /** Preconditions; empty for none. */
  readonly uid: string;
  readonly resourceVersion: string;
  /** Copied over those of the pod. */
  readonly annotations: JsonObject;
  readonly labels: JsonObject;
  readonly dryRun: boolean;
  readonly context: RequestContext;
}

/**
 * Sets `spec.nodeName` of a pod and the condition `PodScheduled`. These fields get no owner. Source: kubernetes,
 * BindingREST.assignPod.
 *
 * @throws {StatusError} 404, 409 for a pod that is assigned, deleted or gated, or a failed precondition
 */
export async function bindPod(parts: RegistryParts, binding: PodBinding): Promise<ResponseObject> {
  const { pods, name, dryRun, context } = binding;
  const { responseObject } = await changeObject(parts, {
    target: objectTargetOf(pods, name, 'binding'),
    options: { dryRun, fieldManager: '', fieldValidation: 'Ignore' },
    context,
    managed: true,
    withoutAdmission: true,
    transform: async (pod, present) => {
      checkPreconditions(binding, present);
      const why = refusal(present);
      if (why !== undefined) throw conflict('pods/binding', name, `pod ${name} ${why}`);
      return bound(pod, binding, formatTime(parts.clock.now()));
    },
  });
  return responseObject;
}

function bound(pod: KubeObject, binding: PodBinding, time: string): KubeObject {
  const { nominatedNodeName: _, ...status } = ownObject(pod, 'status') ?? {};
  const metadata = metadataOf(pod);
  for (const field of ['annotations', 'labels'] as const) {
    if (Object.keys(binding[field]).length === 0) continue;
    metadata[field] = { ...ownObject(metadata, field), ...binding[field] };
  }
  pod['spec'] = { ...ownObject(pod, 'spec'), nodeName: binding.nodeName };
  pod['status'] = status;
  setPodCondition(pod, { type: 'PodScheduled', status: 'True' }, time);
  return pod;
}

function refusal(pod: KubeObject): string | undefined {
  const spec = ownObject(pod, 'spec') ?? {};
  const nodeName = ownString(spec, 'nodeName') ?? '';
  if (own(metadataOf(pod), 'deletionTimestamp') !== undefined)
    return 'is being deleted, cannot be assigned to a host';
  if (nodeName !== '') return `is already assigned to node "${nodeName}"`;
  if ((ownList(spec, 'schedulingGates') ?? []).length > 0) return 'has non-empty .spec.schedulingGates';
  return undefined;
}

/** With the text of upstream's storage. */
function checkPreconditions({ pods, uid, resourceVersion }: PodBinding, pod: KubeObject): void {
  const checks = [
    ['UID', uid, metadataString(pod, 'uid')],
    ['ResourceVersion', resourceVersion, metadataString(pod, 'resourceVersion')],
  ] as const;
  for (const [what, wanted, found] of checks) {
    if (wanted === '' || wanted === found) continue;
    const key = pods.resource.key(pods.namespace, nameOf(pod));
    const text = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
    const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${text}`;
    throw conflict(pods.resource.groupResource.resource, nameOf(pod), why);
  }
}

function conflict(resource: GroupResource['resource'], name: string, why: string): StatusError {
  return conflictError({ group: '', resource }, name, why);
}
