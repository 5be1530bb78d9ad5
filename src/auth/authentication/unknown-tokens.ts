import { BadCredentialsError } from './authentication.ts';
import type { Authenticator } from './authenticator.ts';

/** The last of the authenticators for tokens: a token that none of them knows is bad. Source: apiserver, request/bearertoken. */
export const unknownTokens: Authenticator = Object.freeze({
  authenticate: ({ bearerToken }) => {
    if (bearerToken === '') return undefined;
    throw new BadCredentialsError('invalid bearer token');
  },
} satisfies Authenticator);
