import {
  type JsonObject,
  type KubeObject,
  namespaceOf,
  own,
  ownObject,
  ownString,
  parseTime,
} from '../../meta/index.ts';
import type { ClusterView } from './cluster-view.ts';
import { courseOf } from './course.ts';
import { isDeleted, keyOf, objectsIn, specOf, statusOf, withCondition } from './fields.ts';
import { type PodStage, podStatus } from './pod-status.ts';
import type { Cluster, Reconciler } from './reconciler.ts';
import { claims, nodes, pods } from './resources.ts';
import { isToBind, nodeFor } from './scheduling.ts';

/** Binds pods, and takes those that are bound through their course. */
export const podReconciler: Reconciler = {
  resource: pods,
  wakes: new Map([
    [nodes, (_node, view: ClusterView) => view.all(pods).filter(isToBind).map(keyOf)],
    [
      claims,
      (claim: KubeObject, view: ClusterView) =>
        view.all(pods, namespaceOf(claim)).filter(isToBind).map(keyOf),
    ],
  ]),
  async sync(pod, cluster) {
    if (isToBind(pod)) return bind(pod, cluster);
    if ((ownString(specOf(pod), 'nodeName') ?? '') === '') return;
    if (isDeleted(pod)) return cluster.write.delete(pods, pod);
    if (!isTerminal(pod)) await proceed(pod, cluster);
  },
  async syncStaged(pod, cluster, { deletes }) {
    if (isToBind(pod)) return bind(pod, cluster);
    if (isDeleted(pod) && !deletes) await cluster.write.delete(pods, pod);
  },
};

export const isTerminal = (pod: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(ownString(statusOf(pod), 'phase') ?? '');

export const isPodReady = (pod: KubeObject): boolean => !isDeleted(pod) && readyCondition(pod) !== undefined;

function readyCondition(pod: KubeObject): JsonObject | undefined {
  return objectsIn(statusOf(pod), 'conditions').find(
    (one) => own(one, 'type') === 'Ready' && own(one, 'status') === 'True',
  );
}

/** The time until a pod has been ready for this many seconds: 0 if it has, undefined if it is not ready. */
export function availableInMs(pod: KubeObject, minReadySeconds: number, nowMs: number): number | undefined {
  if (!isPodReady(pod)) return undefined;
  const since = parseTime(ownString(readyCondition(pod) ?? {}, 'lastTransitionTime') ?? '') ?? nowMs;
  return Math.max(0, since + minReadySeconds * 1_000 - nowMs);
}

/** Claims first: a pod needs its volumes. */
async function bind(pod: KubeObject, cluster: Cluster): Promise<void> {
  const missing = missingClaim(pod, cluster.view);
  const node = missing === undefined ? nodeFor(pod, cluster.view) : undefined;
  if (node !== undefined) {
    await cluster.write.bind(pod, node);
    return;
  }
  const count = cluster.view.all(nodes).length;
  const message = missing ?? `0/${count} nodes are available`;
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
  const conditions = withCondition(objectsIn(statusOf(pod), 'conditions'), condition, cluster.time());
  await cluster.write.setStatus(pods, pod, { ...statusOf(pod), conditions });
}

function missingClaim(pod: KubeObject, view: ClusterView): string | undefined {
  for (const volume of objectsIn(specOf(pod), 'volumes')) {
    const source = ownObject(volume, 'persistentVolumeClaim');
    if (source === undefined) continue;
    const name = ownString(source, 'claimName') ?? '';
    const claim = view.get(claims, `${namespaceOf(pod)}/${name}`);
    if (claim === undefined) return `persistentvolumeclaim "${name}" not found`;
    if (own(statusOf(claim), 'phase') !== 'Bound') return 'pod has unbound immediate PersistentVolumeClaims';
  }
  return undefined;
}

/** Times count from the start in the status, so that a restarted server continues. */
async function proceed(pod: KubeObject, cluster: Cluster): Promise<void> {
  const course = courseOf(pod);
  const now = cluster.now();
  const startMs = parseTime(ownString(statusOf(pod), 'startTime') ?? cluster.time()) ?? now;
  const readyMs = startMs + course.readyAfterMs;
  const endMs = course.end === 'Running' ? Number.POSITIVE_INFINITY : readyMs + course.endAfterMs;
  const stage: PodStage =
    course.waiting !== undefined || now < readyMs ? 'waiting' : now < endMs ? 'running' : 'ended';
  const status = podStatus({
    pod,
    course,
    stage,
    time: cluster.time(),
    hostAddress: hostAddress(pod, cluster.view),
    podAddress: podAddress(pod, cluster.view),
  });
  await cluster.write.setStatus(pods, pod, status);
  const nextMs = stage === 'waiting' ? readyMs : endMs;
  if (course.waiting === undefined && stage !== 'ended' && Number.isFinite(nextMs)) {
    cluster.later(pods, keyOf(pod), nextMs - now);
  }
}

function hostAddress(pod: KubeObject, view: ClusterView): string {
  const node = view.get(nodes, `/${ownString(specOf(pod), 'nodeName') ?? ''}`);
  const addresses = node === undefined ? [] : objectsIn(statusOf(node), 'addresses');
  return ownString(addresses.find((one) => own(one, 'type') === 'InternalIP') ?? {}, 'address') ?? '10.0.0.1';
}

/** The lowest address that no pod has. */
function podAddress(pod: KubeObject, view: ClusterView): string {
  const present = ownString(statusOf(pod), 'podIP');
  if (present !== undefined && present !== '') return present;
  const taken = new Set(view.all(pods).map((one) => ownString(statusOf(one), 'podIP')));
  for (let number = 1; ; number += 1) {
    const address = `10.${244 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
    if (!taken.has(address)) return address;
  }
}
