import {
  equal,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';

/** How long an evicted pod counts as deleted before its deletion is observed. Source: kubernetes, DeletionTimeout. */
const deletionMsMax = 2 * 60_000;

/** The desired number of pods; the second is the expected scale of the pods' controllers. */
interface Expectation {
  readonly desiredHealthy: number;
  readonly expectedPods: number;
}

const specOf = (object: KubeObject): JsonObject => ownObject(object, 'spec') ?? {};
const statusOf = (object: KubeObject): JsonObject => ownObject(object, 'status') ?? {};
const numberAt = (object: JsonObject, field: string): number => Number(own(object, field) ?? 0);

/** Whether a budget is relative to the scale of its pods' controllers, rather than a number of pods. */
export function needsScale(budget: KubeObject): boolean {
  const { minAvailable, maxUnavailable } = boundsOf(budget);
  return maxUnavailable !== undefined || typeof minAvailable === 'string';
}

/** The expectation of a budget, if the controllers of its pods have the scale `scale`, or there are `pods`. */
export function expectationOf(budget: KubeObject, counts: { scale: number; pods: number }): Expectation {
  const { minAvailable, maxUnavailable } = boundsOf(budget);
  const { scale, pods } = counts;
  if (maxUnavailable !== undefined)
    return { desiredHealthy: Math.max(0, scale - scaled(maxUnavailable, scale)), expectedPods: scale };
  if (minAvailable === undefined) return { desiredHealthy: 0, expectedPods: 0 };
  if (typeof minAvailable === 'string')
    return { desiredHealthy: scaled(minAvailable, scale), expectedPods: scale };
  return { desiredHealthy: Number(minAvailable), expectedPods: pods };
}

const boundsOf = (budget: KubeObject) => ({
  minAvailable: own(specOf(budget), 'minAvailable'),
  maxUnavailable: own(specOf(budget), 'maxUnavailable'),
});

/** A number, or a percentage of a total, rounded up. */
const scaled = (bound: JsonValue, total: number): number =>
  typeof bound === 'string' ? Math.ceil((Number.parseInt(bound, 10) * total) / 100) : Number(bound);

interface Situation {
  readonly pods: readonly KubeObject[];
  readonly expectation: Expectation;
  readonly nowMs: number;
  /** RFC 3339 */
  readonly now: string;
}

/** The status of a budget. Source: kubernetes, pkg/controller/disruption. */
export function budgetStatus(budget: KubeObject, { pods, expectation, nowMs, now }: Situation): JsonObject {
  const disruptedPods = stillDisrupted(budget, pods, nowMs);
  const leaving = new Set(Object.keys(disruptedPods));
  const healthy = pods.filter((pod) => !isTerminating(pod) && !leaving.has(nameOf(pod)) && isReady(pod));
  const { desiredHealthy, expectedPods } = expectation;
  const allowed = expectedPods > 0 ? Math.max(0, healthy.length - desiredHealthy) : 0;
  const condition = {
    status: allowed > 0 ? 'True' : 'False',
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
  return {
    ...(leaving.size === 0 ? {} : { disruptedPods }),
    currentHealthy: healthy.length,
    desiredHealthy,
    expectedPods,
    disruptionsAllowed: allowed,
    observedGeneration: numberAt(metadataOf(budget), 'generation'),
    conditions: withCondition(budget, { ...condition, now }),
  };
}

/** The status where it cannot be computed: nothing may go. */
export function failedStatus(budget: KubeObject, message: string, now: string): JsonObject {
  const condition = { status: 'False', reason: 'SyncFailed', message, now };
  return { ...statusOf(budget), disruptionsAllowed: 0, conditions: withCondition(budget, condition) };
}

/** Whether a status equals that of the budget. */
export function isUpToDate(budget: KubeObject, status: JsonObject): boolean {
  return equal(statusOf(budget), status);
}

/** When the first evicted pod that was not deleted counts again, in milliseconds since 1970; undefined if none. */
export function nextRecheckMs(status: JsonObject): number | undefined {
  const times = Object.values(ownObject(status, 'disruptedPods') ?? {}).map((time) =>
    Date.parse(String(time)),
  );
  return times.length === 0 ? undefined : Math.min(...times) + deletionMsMax;
}

function stillDisrupted(budget: KubeObject, pods: readonly KubeObject[], nowMs: number): JsonObject {
  const disrupted = ownObject(statusOf(budget), 'disruptedPods') ?? {};
  const names = new Set(pods.filter((pod) => !isTerminating(pod)).map(nameOf));
  return Object.fromEntries(
    Object.entries(disrupted).filter(
      ([name, time]) => names.has(name) && Date.parse(String(time)) + deletionMsMax >= nowMs,
    ),
  );
}

const isTerminating = (pod: KubeObject): boolean => metadataString(pod, 'deletionTimestamp') !== '';

function isReady(pod: KubeObject): boolean {
  const conditions = (ownList(statusOf(pod), 'conditions') ?? []).filter(isObject);
  return conditions.some((one) => own(one, 'type') === 'Ready' && own(one, 'status') === 'True');
}

interface NewCondition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly now: string;
}

function withCondition(budget: KubeObject, { now, ...said }: NewCondition): JsonObject[] {
  const conditions = (ownList(statusOf(budget), 'conditions') ?? []).filter(isObject);
  const type = 'DisruptionAllowed';
  const old = conditions.find((one) => own(one, 'type') === type) ?? {};
  const since = own(old, 'status') === said.status ? ownString(old, 'lastTransitionTime') : undefined;
  const observedGeneration = numberAt(metadataOf(budget), 'generation');
  const condition = { ...old, ...said, type, observedGeneration, lastTransitionTime: since ?? now };
  return Object.keys(old).length === 0
    ? [...conditions, condition]
    : conditions.map((one) => (own(one, 'type') === type ? condition : one));
}
