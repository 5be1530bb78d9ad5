import { type KubeObject, nameOf } from '../../meta/index.ts';
import { availabilityOf, observed } from './availability.ts';
import { activePods, freeName, podOf } from './children.ts';
import { hashName, isDeleted, numberIn, specOf, statusOf } from './fields.ts';
import { isPodReady } from './pods.ts';
import type { Cluster, Reconciler } from './reconciler.ts';
import { pods, replicaSets } from './resources.ts';

/** Keeps the desired number of pods. */
export const replicaSetReconciler: Reconciler = {
  resource: replicaSets,
  owns: [pods],
  async sync(set, cluster) {
    if (!isDeleted(set)) await scale(set, cluster);
    const owned = activePods(set, cluster);
    const { ready, available } = availabilityOf(set, owned, { resource: replicaSets, cluster });
    await cluster.write.setStatus(replicaSets, set, {
      ...statusOf(set),
      ...observed(set),
      replicas: owned.length,
      fullyLabeledReplicas: owned.length,
      readyReplicas: ready,
      availableReplicas: available.length,
    });
  },
};

async function scale(set: KubeObject, cluster: Cluster): Promise<void> {
  const owned = activePods(set, cluster);
  const wanted = numberIn(specOf(set), 'replicas', 1);
  for (let count = owned.length; count < wanted; count += 1) {
    const name = freeName(set, cluster, (index) => `${nameOf(set)}-${hashName(`${nameOf(set)}/${index}`)}`);
    await cluster.write.create(pods, podOf(set, replicaSets, { name }));
    // A namespace that goes takes no more.
    if (activePods(set, cluster).length === count) return;
  }
  // Those that are not ready go first.
  const surplus = [...owned].sort((a, b) => Number(isPodReady(a)) - Number(isPodReady(b)));
  for (const pod of surplus.slice(0, Math.max(0, owned.length - wanted)))
    await cluster.write.delete(pods, pod);
}
