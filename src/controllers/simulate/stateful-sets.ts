import {
  goJson,
  type JsonObject,
  type KubeObject,
  metadataOf,
  nameOf,
  namespaceOf,
  own,
  ownObject,
} from '../../meta/index.ts';
import { availabilityOf, observed } from './availability.ts';
import { podOf } from './children.ts';
import {
  hashName,
  isDeleted,
  labelsOf,
  numberIn,
  objectsIn,
  specOf,
  statusOf,
  templateOf,
} from './fields.ts';
import { isPodReady, isTerminal } from './pods.ts';
import type { Cluster, Reconciler } from './reconciler.ts';
import { claims, pods, statefulSets } from './resources.ts';

const hashLabel = 'controller-revision-hash';

/** Pods with numbers, one after the other. */
export const statefulSetReconciler: Reconciler = {
  resource: statefulSets,
  owns: [pods],
  async sync(set, cluster) {
    if (!isDeleted(set)) await step(set, cluster);
    await tell(set, cluster);
  },
};

const revisionOf = (set: KubeObject): string => `${nameOf(set)}-${hashName(goJson(templateOf(set)), 10)}`;
const isCurrent = (pod: KubeObject, revision: string): boolean => own(labelsOf(pod), hashLabel) === revision;
const ordinalOf = (pod: KubeObject): number => Number(/-(\d+)$/.exec(nameOf(pod))?.[1] ?? -1);
const firstOrdinal = (set: KubeObject): number => numberIn(ownObject(specOf(set), 'ordinals') ?? {}, 'start');

/** The pods by their numbers, lowest first. */
function podsOf(set: KubeObject, { view }: Cluster): KubeObject[] {
  return view.owned(set, pods).sort((a, b) => ordinalOf(a) - ordinalOf(b));
}

/** One step: missing pods are created from the lowest ordinal on, surplus or old ones deleted from the highest. */
async function step(set: KubeObject, cluster: Cluster): Promise<void> {
  const isParallel = own(specOf(set), 'podManagementPolicy') === 'Parallel';
  const first = firstOrdinal(set);
  const end = first + numberIn(specOf(set), 'replicas', 1);
  for (let ordinal = first; ordinal < end; ordinal += 1) {
    const pod = podsOf(set, cluster).find((one) => ordinalOf(one) === ordinal);
    if (pod === undefined) await createPod(set, ordinal, cluster);
    else if (isTerminal(pod)) await cluster.write.delete(pods, pod);
    else if (isPodReady(pod)) continue;
    if (!isParallel) return;
  }
  const surplus = podsOf(set, cluster).filter((pod) => ordinalOf(pod) >= end || ordinalOf(pod) < first);
  for (const pod of isParallel ? surplus : surplus.slice(-1)) await cluster.write.delete(pods, pod);
  if (surplus.length === 0) await replaceOld(set, cluster);
}

/** The highest number that is old goes, once all others are ready. */
async function replaceOld(set: KubeObject, cluster: Cluster): Promise<void> {
  const strategy = ownObject(specOf(set), 'updateStrategy') ?? {};
  if (own(strategy, 'type') === 'OnDelete') return;
  const partition = numberIn(ownObject(strategy, 'rollingUpdate') ?? {}, 'partition');
  const all = podsOf(set, cluster);
  const old = all.filter((pod) => ordinalOf(pod) >= partition && !isCurrent(pod, revisionOf(set)));
  const last = old.at(-1);
  if (last !== undefined && all.every((pod) => pod === last || isPodReady(pod)))
    await cluster.write.delete(pods, last);
}

async function createPod(set: KubeObject, ordinal: number, cluster: Cluster): Promise<void> {
  const name = `${nameOf(set)}-${ordinal}`;
  const templates = objectsIn(specOf(set), 'volumeClaimTemplates');
  for (const template of templates) await createClaim(set, { template, pod: name }, cluster);
  const names = templates.map(nameOf);
  const present = objectsIn(specOf(templateOf(set)), 'volumes').filter(
    (one) => !names.includes(String(own(one, 'name'))),
  );
  const claimed = names.map((claim) => ({
    name: claim,
    persistentVolumeClaim: { claimName: `${claim}-${name}` },
  }));
  const labels = {
    [hashLabel]: revisionOf(set),
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': String(ordinal),
  };
  const volumes = [...present, ...claimed];
  const spec: JsonObject = {
    hostname: name,
    subdomain: own(specOf(set), 'serviceName') ?? '',
    ...(volumes.length > 0 && { volumes }),
  };
  await cluster.write.create(pods, podOf(set, statefulSets, { name, labels, spec }));
}

/** Claims stay when the pod goes. */
async function createClaim(
  set: KubeObject,
  { template, pod }: { readonly template: JsonObject; readonly pod: string },
  cluster: Cluster,
): Promise<void> {
  const name = `${nameOf(template)}-${pod}`;
  if (cluster.view.get(claims, `${namespaceOf(set)}/${name}`) !== undefined) return;
  const matched = ownObject(ownObject(specOf(set), 'selector') ?? {}, 'matchLabels') ?? {};
  const labels = { ...ownObject(metadataOf(template), 'labels'), ...matched };
  const metadata = { ...metadataOf(template), name, namespace: namespaceOf(set), labels };
  await cluster.write.create(claims, { metadata, spec: specOf(template) });
}

async function tell(set: KubeObject, cluster: Cluster): Promise<void> {
  const all = podsOf(set, cluster).filter((pod) => !isTerminal(pod) && !isDeleted(pod));
  const { ready, available } = availabilityOf(set, all, { resource: statefulSets, cluster });
  const updateRevision = revisionOf(set);
  const updated = all.filter((pod) => isCurrent(pod, updateRevision)).length;
  const wanted = numberIn(specOf(set), 'replicas', 1);
  const isDone = updated === wanted && ready === wanted && all.length === wanted;
  const before = own(statusOf(set), 'currentRevision');
  const currentRevision = isDone || before === undefined || before === '' ? updateRevision : before;
  await cluster.write.setStatus(statefulSets, set, {
    ...statusOf(set),
    ...observed(set),
    replicas: all.length,
    readyReplicas: ready,
    availableReplicas: available.length,
    currentReplicas: currentRevision === updateRevision ? updated : all.length - updated,
    updatedReplicas: updated,
    currentRevision,
    updateRevision,
    collisionCount: 0,
  });
}
