import type { Endpoint } from '../../kinds/index.ts';
import { type Freshness, latest } from './freshness.ts';
import type { Served } from './served.ts';

/** The target of a request. */
export interface Target extends Served {
  /** Empty for cluster-scoped resources, and for lists and watches of all namespaces. */
  readonly namespace: string;
  /** The minimum freshness of the objects. */
  readonly freshness: Freshness;
}

/**
 * A resource as the target of a request. The fields are copied one by one because every request makes one or two
 * targets: a spread would cost as much as looking the object up.
 */
export function targetOf(
  { resource, type, version, epoch, changes }: Served,
  namespace: string,
  freshness: Freshness = latest,
): Target {
  return { resource, type, version, epoch, changes, namespace, freshness };
}

/** One object of a target. */
export function objectTargetOf(target: Target, name: string, endpoint: Endpoint): ObjectTarget {
  const { resource, type, version, epoch, changes, namespace, freshness } = target;
  return { resource, type, version, epoch, changes, namespace, freshness, name, endpoint };
}

/**
 * The target of another attempt, after a conflict: with the latest state, because it changed since the request. The
 * preconditions of the write stay.
 */
export function targetOfRetry<T extends Target>(target: T): T {
  return { ...target, freshness: { ...target.freshness, minRevision: undefined } };
}

/** One object at one of its endpoints. */
export interface ObjectTarget extends Target {
  readonly name: string;
  readonly endpoint: Endpoint;
}
