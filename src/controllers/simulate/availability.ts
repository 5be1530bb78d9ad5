import { type KubeObject, metadataOf } from '../../meta/index.ts';
import { keyOf, numberIn, specOf } from './fields.ts';
import { availableInMs, isPodReady } from './pods.ts';
import type { Cluster } from './reconciler.ts';
import type { ResourceName } from './resources.ts';

/** How many pods are ready, and how many have been for long enough. */
interface Availability {
  readonly ready: number;
  readonly available: KubeObject[];
}

/** Looks again when the next pod has been ready for long enough. */
export function availabilityOf(
  owner: KubeObject,
  owned: readonly KubeObject[],
  { resource, cluster }: { readonly resource: ResourceName; readonly cluster: Cluster },
): Availability {
  const minReadySeconds = numberIn(specOf(owner), 'minReadySeconds');
  const waits = owned.map((pod) => availableInMs(pod, minReadySeconds, cluster.now()));
  const positive = waits.filter((ms) => ms !== undefined && ms > 0);
  if (positive.length > 0) cluster.later(resource, keyOf(owner), Math.min(...positive.map(Number)));
  return {
    ready: owned.filter(isPodReady).length,
    available: owned.filter((_, index) => waits[index] === 0),
  };
}

/** The observed generation of a status. */
export const observed = (object: KubeObject) => ({
  observedGeneration: numberIn(metadataOf(object), 'generation'),
});
