import type { FieldRequirement, LabelRequirement, UserInfo } from '../../meta/index.ts';

/** What a user wants to do. Source: apiserver, authorization/authorizer/interfaces.go. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  /** `get`, `list`, `watch`, ...; the method in lower case for a path that is no resource. */
  readonly verb: string;
  /** Undefined for a path that is no resource. */
  readonly resource: ResourceAttributes | undefined;
  readonly path: string;
}

/** The resource that a request is about. */
export interface ResourceAttributes {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for what is cluster-scoped, and for a request across namespaces. */
  readonly namespace: string;
  /** Empty for a request that names no object. */
  readonly name: string;
  /** The requirements of a list, watch or deletecollection (KEP-4601); undefined where there are none that can be read. */
  readonly fieldSelector?: readonly FieldRequirement[] | undefined;
  readonly labelSelector?: readonly LabelRequirement[] | undefined;
}
