import type { UserInfo } from '../../meta/index.ts';

/** A user that an authenticator vouches for. */
export interface Authentication {
  readonly user: UserInfo;
  /** When the credentials expire, in ms since 1970: watches of the user end then. Undefined for "not known". */
  readonly expiresAtMs?: number;
  /** The audiences of a token that this server is one of. Undefined where the credentials have none. */
  readonly audiences?: readonly string[];
}

/** Credentials that are of an authenticator's kind, and bad: expired, revoked, forged. The text is only logged. */
export class BadCredentialsError extends Error {
  override readonly name = 'BadCredentialsError';
}

/** The group of every user that was authenticated. */
const authenticatedGroup = 'system:authenticated';
const unauthenticatedGroup = 'system:unauthenticated';
const anonymousName = 'system:anonymous';

/**
 * A user with the group `system:authenticated`, which everybody has but the anonymous user.
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
