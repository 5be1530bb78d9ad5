import {
  forbiddenError,
  isObject,
  type JsonObject,
  type KubeObject,
  labelSelectorFromObject,
  metadataOf,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
  put,
  SelectorError,
  StatusError,
  stringMap,
} from '../../meta/index.ts';

/** Entries of `status.disruptedPods`. */
const disruptedPodsMax = 2000;

const numberAt = (object: JsonObject, field: string): number => Number(own(object, field) ?? 0);
const statusOf = (budget: KubeObject): JsonObject => ownObject(budget, 'status') ?? {};

/** Whether a PodDisruptionBudget selects a pod of its namespace. A missing or invalid selector selects nothing. */
export function selectsPod(budget: KubeObject, pod: KubeObject): boolean {
  const selector = ownObject(ownObject(budget, 'spec') ?? {}, 'selector');
  if (selector === undefined) return false;
  try {
    return labelSelectorFromObject(selector).matches(stringMap(own(metadataOf(pod), 'labels')));
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

/** Whether the policy of a budget lets a pod that is not ready go without a disruption. */
export function allowsUnhealthy(budget: KubeObject): boolean {
  const policy = ownString(ownObject(budget, 'spec') ?? {}, 'unhealthyPodEvictionPolicy');
  if (policy === 'AlwaysAllow') return true;
  const desired = numberAt(statusOf(budget), 'desiredHealthy');
  return desired > 0 && numberAt(statusOf(budget), 'currentHealthy') >= desired;
}

/**
 * The status of a budget after one more disruption. Source: kubernetes, EvictionREST.checkAndDecrement.
 *
 * @param time RFC 3339
 * @throws {StatusError} 429 or 403 with the cause `DisruptionBudget`
 */
export function statusAfterDisruption(budget: KubeObject, podName: string, time: string): JsonObject {
  const status = statusOf(budget);
  checkBudget(budget, status);
  const disruptionsAllowed = numberAt(status, 'disruptionsAllowed') - 1;
  const disruptedPods = { ...ownObject(status, 'disruptedPods') };
  put(disruptedPods, podName, time);
  const next = { ...status, disruptionsAllowed, disruptedPods };
  return disruptionsAllowed > 0 ? next : { ...next, conditions: exhaustedConditions(status, time) };
}

/** 429 for a budget that changed or has not been computed yet. */
export function unprocessedError(name: string): StatusError {
  return tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, 10);
}

function checkBudget(budget: KubeObject, status: JsonObject): void {
  const name = nameOf(budget);
  const allowed = numberAt(status, 'disruptionsAllowed');
  if (numberAt(status, 'observedGeneration') < numberAt(metadataOf(budget), 'generation'))
    throw unprocessedError(name);
  const notNow = `The disruption budget ${name} does not allow evicting pods currently`;
  if (allowed < 0) {
    const why = 'pdb disruptions allowed is negative';
    throw forbidden(name, why, `${notNow}: ${why}`);
  }
  if (Object.keys(ownObject(status, 'disruptedPods') ?? {}).length > disruptedPodsMax) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(name, why, `${notNow}: too many pending evictions not confirmed by PDB controller`);
  }
  if (allowed === 0) throw tooManyRequests(whyNone(name, status, notNow), 0);
}

function whyNone(name: string, status: JsonObject, notNow: string): string {
  const condition = conditionsOf(status).find((one) => own(one, 'type') === 'DisruptionAllowed') ?? {};
  const message = own(condition, 'status') === 'False' ? (ownString(condition, 'message') ?? '') : '';
  const reason = ownString(condition, 'reason') ?? '';
  const [current, desired] = [numberAt(status, 'currentHealthy'), numberAt(status, 'desiredHealthy')];
  if (message !== '' && reason === 'SyncFailed') return `${notNow} because it failed sync: ${message}`;
  if (current <= desired)
    return `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`;
  return message === '' ? notNow : `${notNow} (${reason}): ${message}`;
}

/** The conditions of a budget that allows no more disruptions. */
function exhaustedConditions(status: JsonObject, time: string): JsonObject[] {
  const conditions = conditionsOf(status);
  const type = 'DisruptionAllowed';
  const index = conditions.findIndex((one) => own(one, 'type') === type);
  const old = index < 0 ? undefined : conditions[index];
  const keepsTime = old !== undefined && own(old, 'status') === 'False';
  const condition: JsonObject = {
    type,
    status: 'False',
    observedGeneration: numberAt(status, 'observedGeneration'),
    lastTransitionTime: (keepsTime ? own(old, 'lastTransitionTime') : undefined) ?? time,
    reason: 'InsufficientPods',
    message: '',
  };
  return old === undefined
    ? [...conditions, condition]
    : conditions.map((one, at) => (at === index ? condition : one));
}

function conditionsOf(status: JsonObject): JsonObject[] {
  return (ownList(status, 'conditions') ?? []).filter(isObject);
}

const cause = (message: string) => ({ reason: 'DisruptionBudget', message });

function tooManyRequests(why: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: { causes: [cause(why)], ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }) },
  });
}

function forbidden(name: string, why: string, causeText: string): StatusError {
  const { status } = forbiddenError({ group: 'policy', resource: 'poddisruptionbudget' }, name, why);
  return new StatusError({
    code: status.code,
    reason: status.reason ?? '',
    message: status.message ?? '',
    details: { ...status.details, causes: [cause(causeText)] },
  });
}
