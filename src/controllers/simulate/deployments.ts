import {
  goJson,
  type JsonObject,
  type KubeObject,
  metadataOf,
  nameOf,
  namespaceOf,
  own,
  ownObject,
  ownString,
  parseTime,
} from '../../meta/index.ts';
import { observed } from './availability.ts';
import { byName, countIn, inheritedAnnotations, isPaused, isSameTemplate } from './children.ts';
import {
  controllerReference,
  hashName,
  isDeleted,
  keyOf,
  numberIn,
  objectsIn,
  specOf,
  statusOf,
  templateOf,
  withCondition,
} from './fields.ts';
import type { Cluster, Reconciler } from './reconciler.ts';
import { deployments, replicaSets } from './resources.ts';
import { limitsOf, nextScales } from './rollout.ts';

const revisionAnnotation = 'deployment.kubernetes.io/revision';
const hashLabel = 'pod-template-hash';

/** A ReplicaSet for each template that a Deployment has had; pods go from the old ones to the new one. */
export const deploymentReconciler: Reconciler = {
  resource: deployments,
  owns: [replicaSets],
  async sync(deployment, cluster) {
    if (isDeleted(deployment)) return;
    const current = await withRevision(deployment, await newSet(deployment, cluster), cluster);
    const sets = setsOf(current, cluster);
    await scaleSets(current, sets, cluster);
    await removeOld(current, setsOf(current, cluster), cluster);
    await tell(current, setsOf(current, cluster), cluster);
  },
};

/** The ReplicaSets of a Deployment, with the one of the template of now apart. */
interface Sets {
  readonly now: KubeObject | undefined;
  readonly old: readonly KubeObject[];
}

function setsOf(deployment: KubeObject, { view }: Cluster): Sets {
  const all = view.owned(deployment, replicaSets).filter((set) => !isDeleted(set));
  const now = all.find((set) => isSameTemplate(templateOf(set), templateOf(deployment)));
  return { now, old: all.filter((set) => set !== now).sort(byName) };
}

/** Makes the set of a new template; one that was there before gets a new revision. Gives the revision. */
async function newSet(deployment: KubeObject, cluster: Cluster): Promise<number> {
  const { now, old } = setsOf(deployment, cluster);
  const last = Math.max(0, ...old.map((set) => countIn(set, revisionAnnotation)));
  if (now !== undefined) return reviveSet(now, last, cluster);
  if (isPaused(deployment)) return countIn(deployment, revisionAnnotation);
  const template = templateOf(deployment);
  const hash = hashName(goJson(template), 10);
  const labels = { ...ownObject(ownObject(template, 'metadata') ?? {}, 'labels'), [hashLabel]: hash };
  const selector = ownObject(specOf(deployment), 'selector') ?? {};
  const spec: JsonObject = {
    replicas: 0,
    minReadySeconds: numberIn(specOf(deployment), 'minReadySeconds'),
    selector: { ...selector, matchLabels: { ...ownObject(selector, 'matchLabels'), [hashLabel]: hash } },
    template: { ...template, metadata: { ...ownObject(template, 'metadata'), labels } },
  };
  await cluster.write.create(replicaSets, {
    metadata: {
      name: `${nameOf(deployment)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      annotations: { ...inheritedAnnotations(deployment), [revisionAnnotation]: String(last + 1) },
      ownerReferences: [controllerReference(deployment, deployments)],
    },
    spec,
  });
  return last + 1;
}

async function reviveSet(set: KubeObject, last: number, cluster: Cluster): Promise<number> {
  const revision = countIn(set, revisionAnnotation);
  if (revision > last) return revision;
  await cluster.write.update(replicaSets, annotated(set, String(last + 1)));
  return last + 1;
}

async function withRevision(deployment: KubeObject, revision: number, cluster: Cluster): Promise<KubeObject> {
  if (countIn(deployment, revisionAnnotation) === revision || revision === 0) return deployment;
  return cluster.write.update(deployments, annotated(deployment, String(revision)));
}

function annotated(object: KubeObject, revision: string): KubeObject {
  const metadata = metadataOf(object);
  const annotations = { ...ownObject(metadata, 'annotations'), [revisionAnnotation]: revision };
  return { ...object, metadata: { ...metadata, annotations } };
}

async function scaleSets(deployment: KubeObject, sets: Sets, cluster: Cluster): Promise<void> {
  for (const [set, replicas] of nextScales(deployment, sets)) {
    if (numberIn(specOf(set), 'replicas') === replicas) continue;
    await cluster.write.update(replicaSets, { ...set, spec: { ...specOf(set), replicas } });
  }
}

async function removeOld(deployment: KubeObject, { old }: Sets, cluster: Cluster): Promise<void> {
  const kept = numberIn(specOf(deployment), 'revisionHistoryLimit', 10);
  const empty = old.filter(
    (set) => numberIn(specOf(set), 'replicas') === 0 && numberIn(statusOf(set), 'replicas') === 0,
  );
  const byRevision = [...empty].sort(
    (a, b) => countIn(a, revisionAnnotation) - countIn(b, revisionAnnotation),
  );
  for (const set of byRevision.slice(0, Math.max(0, empty.length - kept)))
    await cluster.write.delete(replicaSets, set);
}

async function tell(deployment: KubeObject, { now, old }: Sets, cluster: Cluster): Promise<void> {
  const all = [...old, ...(now === undefined ? [] : [now])];
  const sum = (field: string) => all.reduce((total, set) => total + numberIn(statusOf(set), field), 0);
  const [replicas, availableReplicas] = [sum('replicas'), sum('availableReplicas')];
  const wanted = numberIn(specOf(deployment), 'replicas', 1);
  const counts = {
    replicas,
    updatedReplicas: now === undefined ? 0 : numberIn(statusOf(now), 'replicas'),
    readyReplicas: sum('readyReplicas'),
    availableReplicas,
    unavailableReplicas: Math.max(0, Math.max(replicas, wanted) - availableReplicas),
  };
  const progress = { deployment, set: now, counts, wanted, cluster };
  const conditions = [availableCondition(progress), progressingCondition(progress)].reduce(
    (present, condition) => withCondition(present, condition, cluster.time()),
    objectsIn(statusOf(deployment), 'conditions'),
  );
  await cluster.write.setStatus(deployments, deployment, {
    ...statusOf(deployment),
    ...observed(deployment),
    ...counts,
    conditions,
  });
}

interface Progress {
  readonly deployment: KubeObject;
  readonly set: KubeObject | undefined;
  readonly counts: {
    readonly replicas: number;
    readonly updatedReplicas: number;
    readonly availableReplicas: number;
  };
  readonly wanted: number;
  readonly cluster: Cluster;
}

function conditionOf(deployment: KubeObject, type: string): JsonObject {
  return objectsIn(statusOf(deployment), 'conditions').find((one) => own(one, 'type') === type) ?? {};
}

/** An unchanged condition keeps its time. */
function timed<T extends JsonObject & { type: string; status: string }>(
  { deployment, cluster }: Progress,
  condition: T,
) {
  const old = conditionOf(deployment, condition.type);
  const isSame = own(old, 'reason') === own(condition, 'reason') && own(old, 'status') === condition.status;
  return { ...condition, lastUpdateTime: (isSame && ownString(old, 'lastUpdateTime')) || cluster.time() };
}

function availableCondition(progress: Progress) {
  const { deployment, counts, wanted } = progress;
  const isEnough = counts.availableReplicas >= wanted - limitsOf(deployment, wanted).maxUnavailable;
  return timed(progress, {
    type: 'Available',
    status: isEnough ? 'True' : 'False',
    reason: isEnough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: `Deployment ${isEnough ? 'has' : 'does not have'} minimum availability.`,
  });
}

/** Source: kubernetes, pkg/controller/deployment/progress.go. */
function progressingCondition(progress: Progress) {
  const { deployment, set, counts, wanted, cluster } = progress;
  const type = 'Progressing';
  const what = set === undefined ? `Deployment "${nameOf(deployment)}"` : `ReplicaSet "${nameOf(set)}"`;
  const isComplete =
    counts.updatedReplicas === wanted && counts.replicas === wanted && counts.availableReplicas === wanted;
  if (isComplete) {
    const message = `${what} has successfully progressed.`;
    return timed(progress, { type, status: 'True', reason: 'NewReplicaSetAvailable', message });
  }
  const waited = waitedMs(progress);
  const deadlineMs = numberIn(specOf(deployment), 'progressDeadlineSeconds', 600) * 1_000;
  if (waited >= deadlineMs) {
    const message = `${what} has timed out progressing.`;
    return timed(progress, { type, status: 'False', reason: 'ProgressDeadlineExceeded', message });
  }
  if (!isPaused(deployment)) cluster.later(deployments, keyOf(deployment), deadlineMs - waited);
  const changed = hasMoved(progress) ? { lastUpdateTime: cluster.time() } : {};
  const message = `${what} is progressing.`;
  return { ...timed(progress, { type, status: 'True', reason: 'ReplicaSetUpdated', message }), ...changed };
}

/** Since the last step ahead. */
function waitedMs(progress: Progress): number {
  const { deployment, cluster } = progress;
  const old = conditionOf(deployment, 'Progressing');
  const isUnderWay = ['ReplicaSetUpdated', 'ProgressDeadlineExceeded'].includes(
    ownString(old, 'reason') ?? '',
  );
  if (!isUnderWay || hasMoved(progress)) return 0;
  if (own(old, 'reason') === 'ProgressDeadlineExceeded') return Number.POSITIVE_INFINITY;
  return cluster.now() - (parseTime(ownString(old, 'lastUpdateTime') ?? '') ?? cluster.now());
}

function hasMoved({ deployment, counts }: Progress): boolean {
  const before = statusOf(deployment);
  const isObserved =
    numberIn(before, 'observedGeneration') === numberIn(metadataOf(deployment), 'generation');
  const isMore = (field: 'updatedReplicas' | 'availableReplicas') => counts[field] > numberIn(before, field);
  return (
    !isObserved ||
    isMore('updatedReplicas') ||
    isMore('availableReplicas') ||
    counts.replicas < numberIn(before, 'replicas')
  );
}
