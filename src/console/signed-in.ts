import {
  anonymousUser,
  type Authentication,
  type Authenticator,
  BadCredentialsError,
  type ClientCertificate,
  type Credentials,
} from '../auth/index.ts';
import type { UserInfo } from '../meta/index.ts';

/** Who signed in: a user without credentials, or credentials that are checked again. */
export type Proof =
  | { readonly user: UserInfo }
  | { readonly bearerToken: string; readonly certificate: ClientCertificate | undefined };

/**
 * Who signed in to the console. The credentials are checked again for each request: the session ends when they become
 * invalid. Plain data, which threads can share.
 */
export interface SignedIn {
  readonly userName: string;
  readonly proof: Proof;
}

/** Empty credentials. */
const noCredentials: Credentials = Object.freeze({
  bearerToken: '',
  certificate: undefined,
  path: '/console/session',
  header: () => undefined,
  headersFrom: () => [],
});

/** Checks who signed in; undefined if credentials are invalid or empty. */
export function judge(
  authenticator: Authenticator,
  proof: Proof,
): Authentication | undefined | Promise<Authentication | undefined> {
  if ('user' in proof) return Object.freeze({ user: proof.user });
  return judged(authenticator, { ...noCredentials, ...proof });
}

async function judged(
  authenticator: Authenticator,
  credentials: Credentials,
): Promise<Authentication | undefined> {
  try {
    const found = await authenticator.authenticate(credentials);
    return found?.user.name === anonymousUser.name ? undefined : found;
  } catch (error) {
    if (error instanceof BadCredentialsError) return undefined;
    throw error;
  }
}
