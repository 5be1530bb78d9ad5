import type { Served } from './catalog.ts';
import type { Endpoint } from './strategy.ts';

/** What a request is about. */
export interface Target extends Served {
  /** Empty for cluster-scoped resources, and for lists and watches of all namespaces. */
  readonly namespace: string;
}

/** One object, at one of its endpoints. */
export interface ObjectTarget extends Target {
  readonly name: string;
  readonly endpoint: Endpoint;
}
