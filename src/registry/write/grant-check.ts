import type { GroupResource, KubeObject, UserInfo } from '../../meta/index.ts';

/** A create or update before validation, after mutating admission. */
export interface CheckedWrite {
  readonly resource: GroupResource;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** The name in the URL; empty for a create by POST. */
  readonly requestName: string;
  readonly object: KubeObject;
  /** Undefined for a create. */
  readonly oldObject: KubeObject | undefined;
  readonly user: UserInfo;
}

/** An object created by an update or an apply. */
export interface CreateByChange {
  readonly resource: GroupResource;
  readonly version: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
}

/** Checks that a user may grant the permissions in an object: roles and bindings are such objects. */
export interface GrantCheck {
  /**
   * Undefined if there is nothing to check.
   *
   * @throws {StatusError} 403; also as a rejection
   */
  check(write: CheckedWrite): Promise<void> | undefined;

  /**
   * Requires the verb `create` of users who create by another verb.
   *
   * @throws {StatusError} 403, as a rejection
   */
  checkCreate(write: CreateByChange): Promise<void>;
}
