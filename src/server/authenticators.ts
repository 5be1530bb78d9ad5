import {
  audienceAgnostic,
  type Authenticator,
  AuthenticatorUnion,
  CertificateAuthenticator,
  unknownTokens,
} from '../auth/index.ts';
import { systemClock } from '../meta/index.ts';
import type { ServerOptions } from './options.ts';
import type { ServiceAccounts } from './service-accounts.ts';
import type { Users } from './users.ts';

/** Who finds the user of a request, and who judges tokens alone, as a TokenReview asks. */
interface Authenticators {
  readonly authenticator: Authenticator;
  readonly tokens: Authenticator;
  /** Judges what people sign in to the console with: certificates and tokens. */
  readonly signIn: Authenticator;
}

interface AuthenticatorParts {
  readonly users: Users;
  readonly serviceAccounts: ServiceAccounts;
  /** Finds the users of the console's sessions, where there is one. */
  readonly sessions: Authenticator | undefined;
}

/** The authenticators of a server, in upstream's order. A new one is a line here. */
export function makeAuthenticators(
  options: ServerOptions,
  { users, serviceAccounts, sessions }: AuthenticatorParts,
): Authenticators {
  const { clock = systemClock, revocations, isUserChain, anonymousPaths } = options;
  const certificates = new CertificateAuthenticator({
    clock,
    revocations: revocations === undefined ? [users] : [users, revocations],
    ...(isUserChain && { isTrusted: isUserChain }),
  });
  const { audiences } = serviceAccounts.issuer.options;
  const agnostic = (authenticator: Authenticator) => audienceAgnostic(authenticator, audiences);
  const tokens = [
    ...(options.authenticators ?? []).map(agnostic),
    agnostic(users.authenticator),
    serviceAccounts.authenticator,
    ...(options.remoteAuthenticators ?? []),
    unknownTokens,
  ];
  return {
    authenticator: new AuthenticatorUnion(
      [...(sessions ? [sessions] : []), ...(options.frontProxies ?? []), certificates, ...tokens],
      {
        anonymous: ({ path }) =>
          options.anonymousAuth === true && (anonymousPaths === undefined || anonymousPaths.includes(path)),
      },
    ),
    tokens: new AuthenticatorUnion(tokens, { anonymous: () => false }),
    signIn: new AuthenticatorUnion([certificates, ...tokens], { anonymous: () => false }),
  };
}
