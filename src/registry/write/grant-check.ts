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

/** Says whether a user may give away what a write would give: roles and bindings are such objects. */
export interface GrantCheck {
  /**
   * Undefined where there is nothing to ask.
   *
   * @throws {StatusError} 403; also as a rejection
   */
  check(write: CheckedWrite): Promise<void> | undefined;
}
