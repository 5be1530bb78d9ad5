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

/** The authenticator of requests, and the one of tokens alone, for TokenReviews. */
interface Authenticators {
  readonly authenticator: Authenticator;
  readonly tokens: Authenticator;
  /** Authenticates the credentials for a console sign-in: certificates and tokens. */
  readonly signIn: Authenticator;
}

interface AuthenticatorParts {
  readonly users: Users;
  readonly serviceAccounts: ServiceAccounts;
  /** Authenticates the sessions of the console, if there is one. */
  readonly sessions: Authenticator | undefined;
}

/** The authenticators of a server, in upstream's order. A new one is a line here. */
export function makeAuthenticators(
  options: ServerOptions,
  { users, serviceAccounts, sessions }: AuthenticatorParts,
): Authenticators {
  const { clock = systemClock, revocations, isUserChain, anonymousPaths } = options;
  // TLS goes by the clock of the machine, whatever the clock of the server is.
  const certificates = new CertificateAuthenticator({
    clock: systemClock,
    tellsExpiry: clock === systemClock,
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
