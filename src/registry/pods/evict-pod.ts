import {
  type DeleteOptions,
  formatTime,
  type KubeObject,
  limits,
  metadataOf,
  metadataString,
  nameOf,
  notFoundError,
  own,
  ownObject,
  ownString,
  StatusError,
} from '../../meta/index.ts';
import type { RequestContext } from '../request/context.ts';
import { errorWithoutReason } from '../request/error-without-reason.ts';
import { objectTargetOf, type Target, targetOf } from '../resource/target.ts';
import { changeObject } from '../verbs/change-object.ts';
import { checkPreconditions, deleteObject } from '../verbs/delete.ts';
import { listStored, readStored } from '../verbs/stored-read.ts';
import type { RegistryParts } from '../write/registry-parts.ts';
import { allowsUnhealthy, selectsPod, statusAfterDisruption, unprocessedError } from './disruption-budget.ts';
import { isPodReady, setPodCondition } from './pod-conditions.ts';

/** An eviction of one pod. */
export interface Eviction {
  /** The pods of the namespace. */
  readonly pods: Target;
  /** The PodDisruptionBudgets of the namespace. */
  readonly budgets: Target;
  readonly name: string;
  readonly options: DeleteOptions;
  readonly context: RequestContext;
}

/**
 * Deletes a pod if its PodDisruptionBudget allows it. Source: kubernetes, EvictionREST.Create.
 *
 * @throws {StatusError} 404, 409 for a failed precondition, 429 or 403 with the cause `DisruptionBudget`, 500 for two budgets
 */
export async function evictPod(parts: RegistryParts, eviction: Eviction): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const pod = await readPod(parts, eviction);
    if (!ignoresBudgets(pod)) return evictWithBudget(parts, eviction, pod);
    const isGuarded = !hasEnded(pod) && !names(eviction.options);
    try {
      return await markAndDelete(parts, isGuarded ? atVersionOf(eviction, pod) : eviction);
    } catch (error) {
      const isRetried = isConflict(error) && !names(eviction.options);
      if (!isRetried || attempt === limits.updateAttemptsMax) throw error;
    }
  }
}

async function readPod({ store }: RegistryParts, { pods, name }: Eviction): Promise<KubeObject> {
  const pod = await readStored(store, pods, name);
  if (pod === undefined) throw notFoundError(pods.resource.groupResource, name);
  return pod;
}

async function evictWithBudget(parts: RegistryParts, eviction: Eviction, pod: KubeObject): Promise<void> {
  const budget = await budgetOf(eviction, pod);
  const isUnguarded = budget !== undefined && !isPodReady(pod) && allowsUnhealthy(budget);
  if (budget !== undefined && !isUnguarded) await takeDisruption(parts, eviction, budget);
  if (!isUnguarded) return markAndDelete(parts, eviction);
  try {
    await markAndDelete(parts, atVersionOf(eviction, pod));
  } catch (error) {
    // The pod may have become ready.
    if (isConflict(error) && !names(eviction.options)) throw unprocessedError(nameOf(budget));
    throw error;
  }
}

async function budgetOf({ budgets, context }: Eviction, pod: KubeObject): Promise<KubeObject | undefined> {
  const { objects } = await listStored(budgets, context);
  const selecting = objects.filter((budget) => selectsPod(budget, pod));
  if (selecting.length > 1) {
    const why =
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    throw errorWithoutReason(500, why);
  }
  return selecting[0];
}

const writeOptions = Object.freeze({ dryRun: false, fieldManager: '', fieldValidation: 'Ignore' });

/** Upstream writes the status with the client of the server itself. */
const serverUser = { name: 'system:apiserver', groups: ['system:masters'] };

async function takeDisruption(
  parts: RegistryParts,
  { budgets, name, options, context }: Eviction,
  budget: KubeObject,
): Promise<void> {
  const time = formatTime(parts.clock.now());
  if (options.dryRun) {
    statusAfterDisruption(budget, name, time);
    return;
  }
  await changeObject(parts, {
    target: objectTargetOf(budgets, nameOf(budget), 'status'),
    options: writeOptions,
    context: { ...context, user: serverUser, fieldManager: 'kube-apiserver' },
    transform: async (present) => ({ ...present, status: statusAfterDisruption(present, name, time) }),
  });
}

/** Sets the condition `DisruptionTarget`, then deletes the pod; neither is subject to admission. */
async function markAndDelete(parts: RegistryParts, eviction: Eviction): Promise<void> {
  const { pods, name, options, context } = eviction;
  const marked = options.dryRun ? undefined : await markDisrupted(parts, eviction);
  // Of the latest state, which includes the mark.
  const target = objectTargetOf(targetOf(pods, pods.namespace), name, '');
  const { preconditions } = options;
  const moved =
    marked === undefined || preconditions.resourceVersion === undefined
      ? options
      : { ...options, preconditions: { ...preconditions, resourceVersion: marked } };
  await deleteObject(parts, { target, options: moved, context, withoutAdmission: true });
}

/** The resourceVersion of the marked pod. */
async function markDisrupted(parts: RegistryParts, eviction: Eviction): Promise<string> {
  const { pods, name, options, context } = eviction;
  const target = objectTargetOf(pods, name, 'status');
  const { responseObject } = await changeObject(parts, {
    target,
    options: writeOptions,
    context,
    managed: true,
    withoutAdmission: true,
    transform: async (pod, present) => {
      checkPreconditions(present, { target, options });
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
      };
      setPodCondition(pod, condition, formatTime(parts.clock.now()));
      return pod;
    },
  });
  return String(responseObject.revision);
}

const isDeleted = (pod: KubeObject): boolean => own(metadataOf(pod), 'deletionTimestamp') !== undefined;
const phaseOf = (pod: KubeObject): string => ownString(ownObject(pod, 'status') ?? {}, 'phase') ?? '';
const hasEnded = (pod: KubeObject): boolean =>
  isDeleted(pod) || ['Succeeded', 'Failed'].includes(phaseOf(pod));
const ignoresBudgets = (pod: KubeObject): boolean => hasEnded(pod) || phaseOf(pod) === 'Pending';

/** Whether the client named a resourceVersion. */
const names = ({ preconditions }: DeleteOptions): boolean => preconditions.resourceVersion !== undefined;

function atVersionOf(eviction: Eviction, pod: KubeObject): Eviction {
  const { options } = eviction;
  const resourceVersion = metadataString(pod, 'resourceVersion') ?? '';
  return {
    ...eviction,
    options: { ...options, preconditions: { ...options.preconditions, resourceVersion } },
  };
}

const isConflict = (error: unknown): boolean => error instanceof StatusError && error.reason === 'Conflict';
