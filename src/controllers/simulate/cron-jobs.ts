import {
  formatTime,
  type JsonObject,
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  own,
  ownObject,
  ownString,
  parseTime,
} from '../../meta/index.ts';
import { parseCron } from './cron-schedule.ts';
import { apiVersionOf, cronJobs, jobs } from './resources.ts';
import { controllerReference, isDeleted, keyOf, numberIn, specOf, statusOf, uidOf } from './fields.ts';
import { isFinished } from './jobs.ts';
import type { Cluster, Reconciler } from './reconciler.ts';

/** A Job at each time of the schedule; times that were missed are made up for once. Time zones are taken as UTC. */
export const cronJobReconciler: Reconciler = {
  resource: cronJobs,
  owns: [jobs],
  async sync(cronJob, cluster) {
    if (isDeleted(cronJob)) return;
    const due = dueOf(cronJob, cluster);
    if (due !== undefined) await startJob(cronJob, due, cluster);
    await removeOld(cronJob, cluster);
    await tell(cronJob, due, cluster);
  },
};

/** The last due time without a Job; requests another run at the next one. */
function dueOf(cronJob: KubeObject, cluster: Cluster): number | undefined {
  const spec = specOf(cronJob);
  const schedule = parseCron(ownString(spec, 'schedule') ?? '');
  if (schedule === undefined || own(spec, 'suspend') === true) return undefined;
  const last =
    ownString(statusOf(cronJob), 'lastScheduleTime') ?? metadataString(cronJob, 'creationTimestamp');
  const now = cluster.now();
  const next = schedule.next(now);
  if (next !== undefined) cluster.later(cronJobs, keyOf(cronJob), next - now);
  let due: number | undefined;
  const missedMax = 100;
  let at = schedule.next(parseTime(last ?? '') ?? now);
  for (let count = 0; at !== undefined && at <= now && count < missedMax; count += 1, at = schedule.next(at))
    due = at;
  return due;
}

const activeJobs = (cronJob: KubeObject, { view }: Cluster): KubeObject[] =>
  view.owned(cronJob, jobs).filter((job) => !isFinished(job) && !isDeleted(job));

async function startJob(cronJob: KubeObject, atMs: number, cluster: Cluster): Promise<void> {
  const policy = own(specOf(cronJob), 'concurrencyPolicy');
  const active = activeJobs(cronJob, cluster);
  if (policy === 'Forbid' && active.length > 0) return;
  if (policy === 'Replace') for (const job of active) await cluster.write.delete(jobs, job);
  const template = ownObject(specOf(cronJob), 'jobTemplate') ?? {};
  const annotations = {
    ...ownObject(metadataOf(template), 'annotations'),
    'batch.kubernetes.io/cronjob-scheduled-timestamp': formatTime(atMs),
  };
  await cluster.write.create(jobs, {
    metadata: {
      ...metadataOf(template),
      // In minutes, as kube-controller-manager names them.
      name: `${nameOf(cronJob)}-${Math.floor(atMs / 60_000)}`,
      namespace: namespaceOf(cronJob),
      annotations,
      ownerReferences: [controllerReference(cronJob, cronJobs)],
    },
    spec: specOf(template),
  });
}

async function removeOld(cronJob: KubeObject, cluster: Cluster): Promise<void> {
  const finished = cluster.view.owned(cronJob, jobs).filter((job) => isFinished(job) && !isDeleted(job));
  const isComplete = (job: KubeObject) => own(statusOf(job), 'completionTime') !== undefined;
  const lists = [
    [finished.filter(isComplete), numberIn(specOf(cronJob), 'successfulJobsHistoryLimit', 3)],
    [finished.filter((job) => !isComplete(job)), numberIn(specOf(cronJob), 'failedJobsHistoryLimit', 1)],
  ] as const;
  for (const [list, kept] of lists) {
    for (const job of list.slice(0, Math.max(0, list.length - kept))) await cluster.write.delete(jobs, job);
  }
}

async function tell(cronJob: KubeObject, dueMs: number | undefined, cluster: Cluster): Promise<void> {
  const { active: _, ...status } = statusOf(cronJob);
  const active = activeJobs(cronJob, cluster).map((job) => referenceTo(job));
  const ended = cluster.view
    .owned(cronJob, jobs)
    .flatMap((job) => ownString(statusOf(job), 'completionTime') ?? [])
    .sort()
    .at(-1);
  await cluster.write.setStatus(cronJobs, cronJob, {
    ...status,
    ...(active.length > 0 && { active }),
    ...(dueMs !== undefined && { lastScheduleTime: formatTime(dueMs) }),
    ...(ended !== undefined && { lastSuccessfulTime: ended }),
  });
}

function referenceTo(job: KubeObject): JsonObject {
  const { kind } = jobs;
  const resourceVersion = metadataString(job, 'resourceVersion') ?? '';
  const [name, namespace, uid] = [nameOf(job), namespaceOf(job), uidOf(job)];
  return { kind, apiVersion: apiVersionOf(jobs), name, namespace, uid, resourceVersion };
}
