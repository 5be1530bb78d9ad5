import {
  equal,
  isObject,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
} from '../../meta/index.ts';

/** A condition of a pod without its times. */
interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Whether the condition `Ready` is true. */
export function isPodReady(pod: KubeObject): boolean {
  return conditionsOf(pod).some((one) => own(one, 'type') === 'Ready' && own(one, 'status') === 'True');
}

/**
 * Sets a condition in a pod's own status; an unchanged condition keeps its time. Source: kubernetes, podutil.UpdatePodCondition.
 *
 * @param time RFC 3339
 */
export function setPodCondition(pod: KubeObject, wanted: PodCondition, time: string): void {
  const conditions = conditionsOf(pod);
  const index = conditions.findIndex((one) => own(one, 'type') === wanted.type);
  const old = index < 0 ? undefined : conditions[index];
  const keepsTime = old !== undefined && own(old, 'status') === wanted.status;
  const lastTransitionTime = (keepsTime ? own(old, 'lastTransitionTime') : undefined) ?? time;
  const condition: JsonObject = { ...wanted, lastProbeTime: null, lastTransitionTime };
  if (old !== undefined && equal(old, condition)) return;
  if (old === undefined) conditions.push(condition);
  else conditions[index] = condition;
  pod['status'] = { ...ownObject(pod, 'status'), conditions };
}

function conditionsOf(pod: KubeObject): JsonObject[] {
  return (ownList(ownObject(pod, 'status') ?? {}, 'conditions') ?? []).filter(isObject);
}
