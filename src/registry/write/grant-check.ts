import type { GroupResource, KubeObject, UserInfo } from '../../meta/index.ts';

/** A create or update that is about to be validated, as mutating admission has left it. */
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

/** An object that comes to be by an update or an apply. */
export interface CreateByChange {
  readonly resource: GroupResource;
  readonly version: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
}

/** Says whether a user may give away what a write would give: roles and bindings are such objects. */
export interface GrantCheck {
  /**
   * Undefined where there is nothing to ask.
   *
   * @throws {StatusError} 403; also as a rejection
   */
  check(write: CheckedWrite): Promise<void> | undefined;

  /**
   * Whoever creates by another verb must hold `create`, too.
   *
   * @throws {StatusError} 403, as a rejection
   */
  checkCreate(write: CreateByChange): Promise<void>;
}
