import type { UserInfo } from '../../meta/index.ts';

/** An authenticated user. */
export interface Authentication {
  readonly user: UserInfo;
  /** When the credentials expire, in ms since 1970; the user's watches end then. Undefined if unknown. */
  readonly expiresAtMs?: number;
  /** The token's audiences that are also this server's. Undefined where the credentials have no audience. */
  readonly audiences?: readonly string[];
}

/** Recognized but invalid credentials: expired, revoked or forged. The message is only logged. */
export class BadCredentialsError extends Error {
  override readonly name = 'BadCredentialsError';
}

/** The group of every authenticated user. */
const authenticatedGroup = 'system:authenticated';
const unauthenticatedGroup = 'system:unauthenticated';
const anonymousName = 'system:anonymous';

/**
 * Adds the group `system:authenticated`, which every user except the anonymous one has.
 * Source: apiserver, authentication/group/authenticated_group_adder.go.
 */
export function authenticatedUser(user: UserInfo): UserInfo {
  const { name, groups } = user;
  if (
    name === anonymousName ||
    groups.includes(authenticatedGroup) ||
    groups.includes(unauthenticatedGroup)
  ) {
    return user;
  }
  return Object.freeze({ ...user, groups: Object.freeze([...groups, authenticatedGroup]) });
}

/** The user of requests without credentials. */
export const anonymousUser: UserInfo = Object.freeze({
  name: anonymousName,
  groups: Object.freeze([unauthenticatedGroup]),
});
