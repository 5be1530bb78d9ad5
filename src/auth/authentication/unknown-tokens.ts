import { BadCredentialsError } from './authentication.ts';
import type { Authenticator } from './authenticator.ts';

/** The last token authenticator: rejects tokens that no other one knows. Source: apiserver, request/bearertoken. */
export const unknownTokens: Authenticator = Object.freeze({
  authenticate: ({ bearerToken }) => {
    if (bearerToken === '') return undefined;
    throw new BadCredentialsError('invalid bearer token');
  },
} satisfies Authenticator);
