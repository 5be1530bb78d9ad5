import type { UserInfo } from '../meta/index.ts';

/** The attributes by which a request is classified. Source: apiserver, util/flowcontrol RequestDigest. */
export interface RequestDigest {
  readonly user: UserInfo;
  /** An API verb, or for non-resource paths the HTTP method in lower case. */
  readonly verb: string;
  readonly path: string;
  /** Undefined for a non-resource path. */
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
