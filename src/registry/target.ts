import type { Served } from './catalog.ts';
import type { Guard } from '../storage/index.ts';
import type { Endpoint } from './strategy.ts';

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

/** The target of a second look, by whoever found that something came between since the request: as of now. */
export function asOfNow<T extends Target>(target: T): T {
  return { ...target, asOf: undefined };
}

/** One object, at one of its endpoints. */
export interface ObjectTarget extends Target {
  readonly name: string;
  readonly endpoint: Endpoint;
}
