import type { GroupResource, KubeObject } from '../meta/index.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** What a plugin may know of a write that is about to happen. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly resource: GroupResource;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly subresource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty where the server will make one of `generateName`. */
  readonly name: string;
  /** The object to be written; undefined for a delete. A mutating plugin may change it. */
  readonly object: KubeObject | undefined;
  /** The stored object; undefined for a create. */
  readonly oldObject: KubeObject | undefined;
  readonly dryRun: boolean;
  /** The revision of the storage that the write sees other objects as of, at least; undefined for the latest. */
  readonly asOf?: number | undefined;
  readonly user: { readonly name: string; readonly groups: readonly string[] };
}
