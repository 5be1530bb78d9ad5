import { type JsonObject, type KubeObject, nameOf, own, ownString, parseTime } from '../../meta/index.ts';
import { activePods, freeName, podOf } from './children.ts';
import {
  annotationOf,
  hashName,
  isDeleted,
  keyOf,
  numberIn,
  objectsIn,
  specOf,
  statusOf,
  withCondition,
} from './fields.ts';
import { isPodReady } from './pods.ts';
import type { Cluster, Reconciler } from './reconciler.ts';
import { jobs, pods } from './resources.ts';

const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

/** Pods until enough of them have succeeded, or too many have failed. */
export const jobReconciler: Reconciler = {
  resource: jobs,
  owns: [pods],
  async sync(job, cluster) {
    if (isDeleted(job)) return;
    if (isFinished(job)) return removeLater(job, cluster);
    const suspended = own(specOf(job), 'suspend') === true;
    if (suspended) for (const pod of activePods(job, cluster)) await cluster.write.delete(pods, pod);
    const verdict = suspended ? undefined : verdictOf(job, cluster);
    if (verdict !== undefined) return finish(job, verdict, cluster);
    if (!suspended) await startPods(job, cluster);
    await tell(job, suspended, cluster);
  },
};

export function isFinished(job: KubeObject): boolean {
  return objectsIn(statusOf(job), 'conditions').some(
    (one) => ['Complete', 'Failed'].includes(ownString(one, 'type') ?? '') && own(one, 'status') === 'True',
  );
}

const phaseOf = (pod: KubeObject): string => ownString(statusOf(pod), 'phase') ?? '';
const isIndexed = (job: KubeObject): boolean => own(specOf(job), 'completionMode') === 'Indexed';

function tally(job: KubeObject, { view }: Cluster) {
  const all = view.owned(job, pods);
  const succeeded = all.filter((pod) => phaseOf(pod) === 'Succeeded');
  const failed = all.filter((pod) => phaseOf(pod) === 'Failed').length;
  const done = isIndexed(job) ? new Set(succeeded.map(indexOf)).size : succeeded.length;
  return { done, succeeded, failed };
}

interface Verdict {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

function verdictOf(job: KubeObject, cluster: Cluster): Verdict | undefined {
  const spec = specOf(job);
  const { done, failed } = tally(job, cluster);
  const completions = numberIn(spec, 'completions', 0);
  const isWorkQueue = own(spec, 'completions') === undefined;
  const isComplete = isWorkQueue ? done > 0 && activePods(job, cluster).length === 0 : done >= completions;
  if (failed > numberIn(spec, 'backoffLimit', 6)) {
    const message = 'Job has reached the specified backoff limit';
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message };
  }
  if (isComplete) {
    return {
      type: 'Complete',
      reason: 'CompletionsReached',
      message: 'Reached expected number of succeeded pods',
    };
  }
  return isLate(job, cluster)
    ? { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' }
    : undefined;
}

function isLate(job: KubeObject, cluster: Cluster): boolean {
  const seconds = own(specOf(job), 'activeDeadlineSeconds');
  if (typeof seconds !== 'number') return false;
  const startMs = parseTime(ownString(statusOf(job), 'startTime') ?? '') ?? cluster.now();
  const leftMs = startMs + seconds * 1_000 - cluster.now();
  if (leftMs > 0) cluster.later(jobs, keyOf(job), leftMs);
  return leftMs <= 0;
}

async function startPods(job: KubeObject, cluster: Cluster): Promise<void> {
  const spec = specOf(job);
  const { done } = tally(job, cluster);
  const parallelism = numberIn(spec, 'parallelism', 1);
  const left = own(spec, 'completions') === undefined ? parallelism : numberIn(spec, 'completions') - done;
  // A work queue gets no new pods after one has succeeded.
  const isClosing = own(spec, 'completions') === undefined && done > 0;
  const wanted = isClosing ? 0 : Math.min(parallelism, left);
  for (let count = activePods(job, cluster).length; count < wanted; count += 1) {
    const index = isIndexed(job) ? nextIndex(job, cluster) : undefined;
    await cluster.write.create(pods, podOf(job, jobs, detailsOf(job, index, cluster)));
    if (activePods(job, cluster).length === count) return;
  }
}

function detailsOf(job: KubeObject, index: number | undefined, cluster: Cluster) {
  const prefix = index === undefined ? nameOf(job) : `${nameOf(job)}-${index}`;
  const name = freeName(job, cluster, (number) => `${prefix}-${hashName(`${prefix}/${number}`)}`);
  if (index === undefined) return { name };
  const text = { [indexAnnotation]: String(index) };
  return { name, annotations: text, labels: text, spec: { hostname: `${nameOf(job)}-${index}` } };
}

const indexOf = (pod: KubeObject): number => Number(annotationOf(pod, indexAnnotation) ?? -1);

/** The lowest index that neither runs nor has succeeded. */
function nextIndex(job: KubeObject, cluster: Cluster): number {
  const taken = new Set([...activePods(job, cluster), ...tally(job, cluster).succeeded].map(indexOf));
  let index = 0;
  while (taken.has(index)) index += 1;
  return index;
}

async function tell(job: KubeObject, suspended: boolean, cluster: Cluster): Promise<KubeObject> {
  const { done, failed } = tally(job, cluster);
  const active = activePods(job, cluster);
  const conditions = suspended
    ? withCondition(
        objectsIn(statusOf(job), 'conditions'),
        suspendedCondition('True', cluster),
        cluster.time(),
      )
    : resumed(job, cluster);
  const { startTime: _, ...status } = statusOf(job);
  return cluster.write.setStatus(jobs, job, {
    ...status,
    ...(!suspended && { startTime: own(statusOf(job), 'startTime') ?? cluster.time() }),
    active: active.length,
    ready: active.filter(isPodReady).length,
    succeeded: done,
    failed,
    ...(isIndexed(job) && { completedIndexes: indexesOf(job, cluster) }),
    ...(conditions.length > 0 && { conditions }),
  });
}

const suspendedCondition = (status: string, cluster: Cluster) => ({
  type: 'Suspended',
  status,
  reason: status === 'True' ? 'JobSuspended' : 'JobResumed',
  message: status === 'True' ? 'Job suspended' : 'Job resumed',
  lastProbeTime: cluster.time(),
});

function resumed(job: KubeObject, cluster: Cluster): JsonObject[] {
  const present = objectsIn(statusOf(job), 'conditions');
  const isSuspended = present.some(
    (one) => own(one, 'type') === 'Suspended' && own(one, 'status') === 'True',
  );
  return isSuspended ? withCondition(present, suspendedCondition('False', cluster), cluster.time()) : present;
}

/** `0-2,5`. */
function indexesOf(job: KubeObject, cluster: Cluster): string {
  const indexes = [...new Set(tally(job, cluster).succeeded.map(indexOf))].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const index of indexes) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}

/** Running pods are deleted first; the condition before the last one records the decision. */
async function finish(job: KubeObject, { type, reason, message }: Verdict, cluster: Cluster): Promise<void> {
  for (const pod of activePods(job, cluster)) await cluster.write.delete(pods, pod);
  const told = await tell(job, false, cluster);
  const time = cluster.time();
  const decided = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const conditions = [decided, type].reduce(
    (all, one) =>
      withCondition(all, { type: one, status: 'True', reason, message, lastProbeTime: time }, time),
    objectsIn(statusOf(told), 'conditions'),
  );
  const status = { ...statusOf(told), active: 0, ready: 0, conditions };
  const finished = type === 'Complete' ? { ...status, completionTime: time } : status;
  await cluster.write.setStatus(jobs, told, finished);
}

/** `ttlSecondsAfterFinished`. */
async function removeLater(job: KubeObject, cluster: Cluster): Promise<void> {
  const seconds = own(specOf(job), 'ttlSecondsAfterFinished');
  if (typeof seconds !== 'number') return;
  const last = objectsIn(statusOf(job), 'conditions').at(-1) ?? {};
  const endMs = parseTime(ownString(last, 'lastTransitionTime') ?? '') ?? cluster.now();
  const leftMs = endMs + seconds * 1_000 - cluster.now();
  if (leftMs > 0) cluster.later(jobs, keyOf(job), leftMs);
  else await cluster.write.delete(jobs, job);
}
