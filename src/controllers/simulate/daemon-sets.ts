import { goJson, type KubeObject, nameOf, namespaceOf, own, ownObject, ownString } from '../../meta/index.ts';
import { availabilityOf, observed } from './availability.ts';
import type { ClusterView } from './cluster-view.ts';
import { activePods, podOf } from './children.ts';
import {
  countOrPercent,
  hashName,
  isDeleted,
  keyOf,
  labelsOf,
  objectsIn,
  specOf,
  statusOf,
  templateOf,
} from './fields.ts';
import { isPodReady } from './pods.ts';
import type { Cluster, Reconciler } from './reconciler.ts';
import { daemonSets, nodes, pods } from './resources.ts';
import { fits } from './scheduling.ts';

const hashLabel = 'controller-revision-hash';
/** What a daemon tolerates because the node needs it. */
const tolerated = [
  'not-ready',
  'unreachable',
  'disk-pressure',
  'memory-pressure',
  'pid-pressure',
  'unschedulable',
].map((name) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists' }));

/** A pod on each node that takes it. */
export const daemonSetReconciler: Reconciler = {
  resource: daemonSets,
  owns: [pods],
  wakes: new Map([[nodes, (_node: KubeObject, view: ClusterView) => view.all(daemonSets).map(keyOf)]]),
  async sync(set, cluster) {
    if (!isDeleted(set)) await place(set, cluster);
    await tell(set, cluster);
  },
};

const hashOf = (set: KubeObject): string => hashName(goJson(templateOf(set)), 10);
const nodeOf = (pod: KubeObject): string => ownString(specOf(pod), 'nodeName') ?? '';
const isOld = (pod: KubeObject, set: KubeObject): boolean => own(labelsOf(pod), hashLabel) !== hashOf(set);

function tolerantSpec(set: KubeObject) {
  const spec = specOf(templateOf(set));
  return { ...spec, tolerations: [...objectsIn(spec, 'tolerations'), ...tolerated] };
}

function wantedNodes(set: KubeObject, { view }: Cluster): string[] {
  return view
    .all(nodes)
    .filter((node) => fits(node, tolerantSpec(set)))
    .map(nameOf);
}

async function place(set: KubeObject, cluster: Cluster): Promise<void> {
  const wanted = wantedNodes(set, cluster);
  for (const node of wanted) {
    if (activePods(set, cluster).some((pod) => nodeOf(pod) === node)) continue;
    const name = `${nameOf(set)}-${hashName(`${namespaceOf(set)}/${nameOf(set)}/${node}`)}`;
    const spec = { nodeName: node, tolerations: tolerantSpec(set).tolerations };
    await cluster.write.create(
      pods,
      podOf(set, daemonSets, { name, labels: { [hashLabel]: hashOf(set) }, spec }),
    );
  }
  const all = activePods(set, cluster);
  for (const pod of all.filter((one) => !wanted.includes(nodeOf(one)))) await cluster.write.delete(pods, pod);
  await replaceOld(set, wanted.length, cluster);
}

/** As many old ones go as may be unavailable. */
async function replaceOld(set: KubeObject, wanted: number, cluster: Cluster): Promise<void> {
  const strategy = ownObject(specOf(set), 'updateStrategy') ?? {};
  if (own(strategy, 'type') === 'OnDelete') return;
  const all = activePods(set, cluster);
  const update = ownObject(strategy, 'rollingUpdate') ?? {};
  const most = Math.max(1, countOrPercent(own(update, 'maxUnavailable') ?? 1, wanted, Math.ceil));
  const room = Math.max(0, most - (wanted - all.filter(isPodReady).length));
  const old = all.filter((pod) => isOld(pod, set));
  const broken = old.filter((pod) => !isPodReady(pod));
  const others = old.filter(isPodReady).slice(0, room);
  for (const pod of [...broken, ...others]) await cluster.write.delete(pods, pod);
}

async function tell(set: KubeObject, cluster: Cluster): Promise<void> {
  const wanted = wantedNodes(set, cluster);
  const all = activePods(set, cluster);
  const there = all.filter((pod) => wanted.includes(nodeOf(pod)));
  const { ready, available } = availabilityOf(set, there, { resource: daemonSets, cluster });
  await cluster.write.setStatus(daemonSets, set, {
    ...statusOf(set),
    ...observed(set),
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: there.length,
    numberMisscheduled: all.length - there.length,
    numberReady: ready,
    numberAvailable: available.length,
    numberUnavailable: wanted.length - available.length,
    updatedNumberScheduled: there.filter((pod) => !isOld(pod, set)).length,
  });
}
