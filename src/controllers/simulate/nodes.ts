import {
  type JsonObject,
  kubernetesVersion,
  type KubeObject,
  metadataOf,
  nameOf,
  own,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import type { Registry } from '../../registry/index.ts';
import { controllerContext, servedTarget } from '../client.ts';
import { isHeld } from './course.ts';
import { keyOf, objectsIn, specOf, statusOf, withCondition } from './fields.ts';
import type { Cluster, Reconciler } from './reconciler.ts';
import { nodes } from './resources.ts';

/** The node that a cluster without nodes gets. */
const firstNode = 'node-1';
const capacity: JsonObject = { cpu: '32', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '1000' };
/** What keeps pods away until the node is ready, as admission puts it there. */
const notReady = 'node.kubernetes.io/not-ready';

const conditions: readonly (readonly [type: string, status: string, reason: string, message: string])[] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];

/** A server that starts without nodes gets one, so that pods can be bound. */
export async function ensureNode(registry: Registry, cluster: Cluster): Promise<void> {
  const target = await servedTarget(registry, nodes);
  const { objects } = await registry.listStored(
    target,
    controllerContext('ilk-simulate', new AbortController().signal),
  );
  if (objects.length > 0) return;
  const labels = {
    'kubernetes.io/hostname': firstNode,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
  };
  await cluster.write.create(nodes, { metadata: { name: firstNode, labels } });
}

export const nodeReconciler: Reconciler = {
  resource: nodes,
  async sync(node, cluster) {
    if (isHeld(node)) return;
    const untainted = await withoutTaint(node, cluster);
    await cluster.write.setStatus(nodes, untainted, readyStatus(untainted, cluster));
  },
};

async function withoutTaint(node: KubeObject, { write }: Cluster): Promise<KubeObject> {
  const taints = objectsIn(specOf(node), 'taints');
  const kept = taints.filter((taint) => own(taint, 'key') !== notReady);
  if (kept.length === taints.length) return node;
  return write.update(nodes, { ...node, spec: { ...specOf(node), taints: kept } });
}

/** Fields that a node has are kept; missing ones are filled in. */
function readyStatus(node: KubeObject, cluster: Cluster): JsonObject {
  const status = statusOf(node);
  const time = cluster.time();
  const all = conditions.reduce<JsonObject[]>(
    (present, [type, state, reason, message]) => {
      const old = present.find((one) => own(one, 'type') === type);
      const lastHeartbeatTime = (old && ownString(old, 'lastHeartbeatTime')) ?? time;
      return withCondition(present, { type, status: state, reason, message, lastHeartbeatTime }, time);
    },
    objectsIn(status, 'conditions'),
  );
  return {
    addresses: [
      { type: 'InternalIP', address: addressOf(node, cluster) },
      { type: 'Hostname', address: nameOf(node) },
    ],
    allocatable: capacity,
    capacity,
    ...status,
    nodeInfo: nodeInfo(node),
    conditions: all,
  };
}

function addressOf(node: KubeObject, { view }: Cluster): string {
  const number = view.all(nodes).findIndex((one) => keyOf(one) === keyOf(node)) + 1;
  return `10.0.${number >> 8}.${number & 255}`;
}

function nodeInfo(node: KubeObject): JsonObject {
  const labels = ownObject(metadataOf(node), 'labels') ?? {};
  const usual = {
    machineID: '',
    systemUUID: '',
    bootID: '',
    kernelVersion: '',
    osImage: 'simulated',
    containerRuntimeVersion: 'simulated://0',
    kubeletVersion: `v${kubernetesVersion.major}.${kubernetesVersion.minor}.${kubernetesVersion.patch}`,
    kubeProxyVersion: '',
    operatingSystem: ownString(labels, 'kubernetes.io/os') ?? 'linux',
    architecture: ownString(labels, 'kubernetes.io/arch') ?? 'amd64',
  };
  const said = Object.entries(ownObject(statusOf(node), 'nodeInfo') ?? {}).filter(
    ([, value]) => value !== '',
  );
  return { ...usual, ...Object.fromEntries(said) };
}

/** Whether pods may be scheduled to a node. */
export function isReady(node: KubeObject): boolean {
  return objectsIn(statusOf(node), 'conditions').some(
    (one) => own(one, 'type') === 'Ready' && own(one, 'status') === 'True',
  );
}
