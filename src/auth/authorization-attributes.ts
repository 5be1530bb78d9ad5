import type { UserInfo } from '../meta/index.ts';

/** What somebody wants to do. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  /** Undefined for a path that is no resource. */
  readonly resource:
    | {
        readonly group: string;
        readonly version: string;
        readonly resource: string;
        readonly subresource: string;
        readonly namespace: string;
        readonly name: string;
      }
    | undefined;
  readonly path: string;
}
