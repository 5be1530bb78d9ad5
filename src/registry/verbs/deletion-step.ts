import {
  type DeleteOptions,
  ensureMetadata,
  foregroundFinalizer,
  formatTime,
  type KubeObject,
  metadataOf,
  orphanFinalizer,
  own,
  parseTime,
  stringList,
} from '../../meta/index.ts';
import type { RequestContext } from '../request/context.ts';
import type { ObjectTarget } from '../resource/target.ts';
import type { RegistryParts } from '../write/registry-parts.ts';

/** What a delete does with an object in its present state. */
export type DeletionStep =
  /** The object is marked with a grace period that is not longer than the requested one: nothing changes. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'remove' }
  /** Finalizers or a grace period hold the marked object. */
  | { readonly kind: 'mark'; readonly object: KubeObject }
  /** Watches see the mark first, as upstream for kinds with grace periods. */
  | { readonly kind: 'mark and remove'; readonly object: KubeObject };

interface Deletion {
  readonly target: ObjectTarget;
  readonly options: DeleteOptions;
  readonly context: RequestContext;
}

/** Decides on a delete. Source: apiserver, registry.Store.Delete and rest.BeforeDelete. */
export function deletionStep(
  { clock }: Pick<RegistryParts, 'clock'>,
  { target, options, context }: Deletion,
  old: KubeObject,
): DeletionStep {
  const { strategy, type } = target.resource;
  const metadata = { ...metadataOf(old) };
  const object: KubeObject = { ...old, metadata };
  const period = strategy.gracePeriodSeconds?.bind(strategy, object);
  const grace = grantGrace(object, { period, asked: options.gracePeriodSeconds, nowMs: clock.now() });
  if (grace === 'pending') return { kind: 'keep' };
  const finalizers = deletionFinalizers(stringList(own(metadata, 'finalizers')), options);
  if (finalizers.length === 0) delete metadata['finalizers'];
  else metadata['finalizers'] = finalizers;
  strategy.prepareForDelete?.(object, { type, version: target.version, clock, user: context.user });
  const isHeld =
    stringList(own(ensureMetadata(object), 'finalizers')).length > 0 ||
    strategy.holdsDeletion?.(object) === true;
  if (grace === 'granted') return { kind: isHeld || hasGrace(object) ? 'mark' : 'mark and remove', object };
  if (!isHeld) return { kind: 'remove' };
  if (own(metadata, 'deletionTimestamp') === undefined) mark(object, 0, clock.now());
  return { kind: 'mark', object };
}

/** Whether a marked object stays until it is deleted with a grace period of 0. */
export function hasGrace(object: KubeObject): boolean {
  return Number(own(metadataOf(object), 'deletionGracePeriodSeconds') ?? 0) > 0;
}

/**
 * Marks an object with its grace period, or shortens the period of a marked object. `none`: its kind has no grace periods,
 * or the period of this object is 0.
 */
function grantGrace(
  object: KubeObject,
  grace: {
    readonly period: ((asked: number | undefined) => number) | undefined;
    readonly asked: number | undefined;
    readonly nowMs: number;
  },
): 'none' | 'pending' | 'granted' {
  const { period, nowMs } = grace;
  if (period === undefined) return 'none';
  const asked = grace.asked === undefined ? undefined : countedSeconds(grace.asked);
  const metadata = metadataOf(object);
  const deletedAt = own(metadata, 'deletionTimestamp');
  if (deletedAt === undefined) {
    mark(object, countedSeconds(period(asked)), nowMs);
    return 'granted';
  }
  if (!hasGrace(object)) return 'none';
  const granted = Number(own(metadata, 'deletionGracePeriodSeconds'));
  if (asked === undefined || asked >= granted) return 'pending';
  const endMs = (parseTime(String(deletedAt)) ?? nowMs) + (asked - granted) * 1000;
  // An expired period still leaves the final delete to the kubelet.
  const seconds = endMs < nowMs && asked !== 0 ? 1 : asked;
  metadata['deletionTimestamp'] = formatTime(Math.max(endMs, nowMs));
  metadata['deletionGracePeriodSeconds'] = seconds;
  return 'granted';
}

/** Negative periods count as one second. */
function countedSeconds(seconds: number): number {
  return seconds < 0 ? 1 : Math.min(seconds, Number.MAX_SAFE_INTEGER);
}

function mark(object: KubeObject, seconds: number, nowMs: number): void {
  const metadata = metadataOf(object);
  metadata['deletionTimestamp'] = formatTime(nowMs + durationMs(seconds));
  metadata['deletionGracePeriodSeconds'] = seconds;
  const generation = own(metadata, 'generation');
  if (typeof generation === 'number' && generation > 0) metadata['generation'] = generation + 1;
}

/** As Go's `time.Duration`, which wraps after 292 years. */
function durationMs(seconds: number): number {
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n);
}

/**
 * The two finalizers of the garbage collector are set by this request, kept from an earlier one, or removed. Source:
 * apiserver, registry.deletionFinalizersForGarbageCollection.
 */
function deletionFinalizers(present: readonly string[], options: DeleteOptions): string[] {
  const others = present.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  if (options.orphanDependents !== undefined) {
    return options.orphanDependents ? [...others, orphanFinalizer] : others;
  }
  switch (options.propagationPolicy) {
    case 'Orphan':
      return [...others, orphanFinalizer];
    case 'Foreground':
      return [...others, foregroundFinalizer];
    case 'Background':
      return others;
    default:
      return [...present];
  }
}
