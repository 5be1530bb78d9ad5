import type { UserInfo } from '../meta/index.ts';

/** What a request is classified by. Source: apiserver, util/flowcontrol RequestDigest. */
export interface RequestDigest {
  readonly user: UserInfo;
  /** A verb of the API, or an HTTP method in small letters where the path names no resource. */
  readonly verb: string;
  readonly path: string;
  /** Undefined for a path that names no resource. */
  readonly resource: DigestedResource | undefined;
}

export interface DigestedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for cluster-scoped resources, and for lists of all namespaces. */
  readonly namespace: string;
  readonly name: string;
}
