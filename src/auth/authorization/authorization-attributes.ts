import type { FieldRequirement, LabelRequirement, UserInfo } from '../../meta/index.ts';

/** The request that an authorizer decides on. Source: apiserver, authorization/authorizer/interfaces.go. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  /** `get`, `list`, `watch`, ...; for a non-resource path the method in lower case. */
  readonly verb: string;
  /** Undefined for a non-resource path. */
  readonly resource: ResourceAttributes | undefined;
  readonly path: string;
}

/** The resource of a request. */
export interface ResourceAttributes {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for cluster-scoped resources, and for requests across namespaces. */
  readonly namespace: string;
  /** Empty for a request without an object name. */
  readonly name: string;
  /**
   * The selector requirements of a list, watch or deletecollection (KEP-4601); undefined if there are none or they
   * cannot be parsed.
   */
  readonly fieldSelector?: readonly FieldRequirement[] | undefined;
  readonly labelSelector?: readonly LabelRequirement[] | undefined;
}
