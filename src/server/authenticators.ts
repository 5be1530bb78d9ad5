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
}

interface AuthenticatorParts {
  readonly users: Users;
  readonly serviceAccounts: ServiceAccounts;
}

/** The authenticators of a server, in upstream's order. A new one is a line here. */
export function makeAuthenticators(
  options: ServerOptions,
  { users, serviceAccounts }: AuthenticatorParts,
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
    authenticator: new AuthenticatorUnion([...(options.frontProxies ?? []), certificates, ...tokens], {
      anonymous: ({ path }) =>
        options.anonymousAuth === true && (anonymousPaths === undefined || anonymousPaths.includes(path)),
    }),
    tokens: new AuthenticatorUnion(tokens, { anonymous: () => false }),
  };
}
