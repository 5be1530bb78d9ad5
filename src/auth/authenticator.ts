import type { UserInfo } from '../meta/index.ts';

/** What a request brings to say who it is from. */
export interface Credentials {
  /** The token of `Authorization: Bearer ...`; empty where there is none. */
  readonly bearerToken: string;
  /** The subject of a client certificate that the transport has verified. */
  readonly certificate:
    | { readonly commonName: string; readonly organizations: readonly string[] }
    | undefined;
}

/** Says who asks; undefined where the credentials are not of its kind. */
export type Authenticator = (credentials: Credentials) => UserInfo | undefined;

/** Everyone who is somebody belongs to it. */
const authenticatedGroup = 'system:authenticated';

/** A client certificate names its user as common name and its groups as organizations. */
export const authenticateCertificate: Authenticator = ({ certificate }) => {
  if (certificate === undefined || certificate.commonName === '') return undefined;
  return { name: certificate.commonName, groups: withAuthenticated(certificate.organizations) };
};

/** Asks one after the other; a bearer token that nobody knows is refused even beside a good certificate. */
export function firstOf(authenticators: readonly Authenticator[]): Authenticator {
  return (credentials) => {
    for (const authenticate of authenticators) {
      const user = authenticate(credentials);
      if (user !== undefined) return user;
    }
    return undefined;
  };
}

/** Who asks without credentials, where that is allowed. */
export const authenticateAnonymous: Authenticator = ({ bearerToken, certificate }) => {
  if (bearerToken !== '' || certificate !== undefined) return undefined;
  return { name: 'system:anonymous', groups: ['system:unauthenticated'] };
};

/** A user, who then belongs to the group of everyone who is somebody. */
export function authenticatedUser(user: UserInfo): UserInfo {
  return Object.freeze({ ...user, groups: Object.freeze(withAuthenticated(user.groups)) });
}

export function withAuthenticated(groups: readonly string[]): readonly string[] {
  return groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup];
}
