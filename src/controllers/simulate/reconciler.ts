import type { KubeObject } from '../../meta/index.ts';
import type { ClusterView } from './cluster-view.ts';
import type { ClusterWriter } from './cluster-writer.ts';
import type { ResourceName } from './resources.ts';

/** What a reconciler works with. */
export interface Cluster {
  readonly view: ClusterView;
  readonly write: ClusterWriter;
  /** Milliseconds, by the clock of the server. */
  now(): number;
  /** The same, from annotations of objects. */
  time(): string;
  /** Asks for work on an object once so much time of the server's clock has passed. */
  later(resource: ResourceName, key: string, delayMs: number): void;
}

/** Reconciles one kind, one step for each change. */
export interface Reconciler {
  readonly resource: ResourceName;
  /** Kinds that it makes: a change of one is work for its controller. */
  readonly owns?: readonly ResourceName[];
  /** Other kinds that it depends on: which objects are reconciled after a change of one. */
  readonly wakes?: ReadonlyMap<ResourceName, (changed: KubeObject, view: ClusterView) => Iterable<string>>;
  /** Called with the last state that is known; never at once for the same object. A conflict is tried again. */
  sync(object: KubeObject, cluster: Cluster): Promise<void>;
  /**
   * What it does for an object with stages; nothing if omitted.
   *
   * @param stages whether one of them deletes the object
   */
  syncStaged?(object: KubeObject, cluster: Cluster, stages: { readonly deletes: boolean }): Promise<void>;
}
