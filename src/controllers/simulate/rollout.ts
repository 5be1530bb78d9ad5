import { type KubeObject, own, ownObject } from '../../meta/index.ts';
import { isPaused } from './children.ts';
import { countOrPercent, numberIn, specOf, statusOf } from './fields.ts';

/** By how many pods a rollout may exceed the desired number, or fall below it. */
export function limitsOf(deployment: KubeObject, wanted: number) {
  const update = ownObject(ownObject(specOf(deployment), 'strategy') ?? {}, 'rollingUpdate');
  if (update === undefined) return { maxSurge: 0, maxUnavailable: wanted };
  const maxSurge = countOrPercent(own(update, 'maxSurge'), wanted, Math.ceil);
  const maxUnavailable = countOrPercent(own(update, 'maxUnavailable'), wanted, Math.floor);
  // Both 0 would make no progress. Source: kubernetes, ResolveFenceposts.
  return {
    maxSurge,
    maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : Math.min(maxUnavailable, wanted),
  };
}

interface Sets {
  readonly now: KubeObject | undefined;
  readonly old: readonly KubeObject[];
}

const replicasOf = (set: KubeObject): number => numberIn(specOf(set), 'replicas');
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** The sets with the replicas that each is to have next: one step, within the limits. */
export function nextScales(deployment: KubeObject, { now, old }: Sets): (readonly [KubeObject, number])[] {
  const wanted = numberIn(specOf(deployment), 'replicas', 1);
  if (now === undefined) return [];
  if (isPaused(deployment)) return old.every((set) => replicasOf(set) === 0) ? [[now, wanted]] : [];
  const isRecreate = own(ownObject(specOf(deployment), 'strategy') ?? {}, 'type') === 'Recreate';
  return isRecreate ? recreate(now, old, wanted) : roll(deployment, { now, old }, wanted);
}

/** Old pods are deleted before new ones are created. */
function recreate(
  now: KubeObject,
  old: readonly KubeObject[],
  wanted: number,
): (readonly [KubeObject, number])[] {
  const areGone = old.every((set) => numberIn(statusOf(set), 'replicas') === 0 && replicasOf(set) === 0);
  return areGone ? [[now, wanted]] : old.map((set) => [set, 0] as const);
}

function roll(
  deployment: KubeObject,
  { now, old }: { readonly now: KubeObject; readonly old: readonly KubeObject[] },
  wanted: number,
): (readonly [KubeObject, number])[] {
  const { maxSurge, maxUnavailable } = limitsOf(deployment, wanted);
  const others = sumOf(old.map(replicasOf));
  const room = Math.max(0, wanted + maxSurge - others - replicasOf(now));
  const next = replicasOf(now) > wanted ? wanted : Math.min(wanted, replicasOf(now) + room);
  const available = sumOf([now, ...old].map((set) => numberIn(statusOf(set), 'availableReplicas')));
  let spare = Math.max(0, available - (wanted - maxUnavailable));
  const scaled = old.map((set) => {
    // What is not available anyway may go at once.
    const broken = Math.max(0, replicasOf(set) - numberIn(statusOf(set), 'availableReplicas'));
    const more = Math.min(spare, replicasOf(set) - broken);
    spare -= more;
    return [set, replicasOf(set) - broken - more] as const;
  });
  return [[now, next], ...scaled];
}
