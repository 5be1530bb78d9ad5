import type { Served } from './served.ts';
import type { Guard } from '../../storage/index.ts';
import type { Endpoint } from '../../kinds/index.ts';

/** What a request is about. */
export interface Target extends Served {
  /** Empty for cluster-scoped resources, and for lists and watches of all namespaces. */
  readonly namespace: string;
  /**
   * A revision that the storage told after the request had come: the state as of then is the latest that the request
   * can ask for, and need not be asked for again. Left out where a target outlives a request.
   */
  readonly asOf?: number | undefined;
  /**
   * What the target was found by, where that may not be the latest: a write happens only if it still is, and is a
   * conflict else. So is one that would change nothing, as far as is known at hand.
   */
  readonly guards?: readonly Guard[] | undefined;
}

/**
 * What was found as the target of a request. Written out, as every request makes one or two: `...` would cost as much as
 * looking the object up.
 */
export function targetOf(
  { resource, type, version, epoch, changes }: Served,
  namespace: string,
  { asOf, guards }: Pick<Target, 'asOf' | 'guards'> = {},
): Target {
  return { resource, type, version, epoch, changes, namespace, asOf, guards };
}

/** One object of a target. */
export function objectTargetOf(target: Target, name: string, endpoint: Endpoint): ObjectTarget {
  const { resource, type, version, epoch, changes, namespace, asOf, guards } = target;
  return { resource, type, version, epoch, changes, namespace, asOf, guards, name, endpoint };
}

/** The target of a second look, by whoever found that something came between since the request: as of now. */
export function asOfNow<T extends Target>(target: T): T {
  return { ...target, asOf: undefined };
}

/** One object, at one of its endpoints. */
export interface ObjectTarget extends Target {
  readonly name: string;
  readonly endpoint: Endpoint;
}
