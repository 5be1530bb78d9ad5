import { BadCredentialsError } from '../../auth/index.ts';
import { badRequestError, type JsonObject, own, ownObject, ownString, stringList } from '../../meta/index.ts';
import type { ReviewKind, ReviewParts } from './review-kind.ts';
import { userObject } from './user-object.ts';

/** TokenReview: for servers that delegate authentication. Source: kubernetes, registry/authentication/tokenreview. */
export const tokenReview: ReviewKind = {
  group: 'authentication.k8s.io',
  version: 'v1',
  resource: 'tokenreviews',
  kind: 'TokenReview',
  namespaced: false,
  answer: async (asked, parts) => {
    const spec = ownObject(asked, 'spec') ?? {};
    const token = ownString(spec, 'token') ?? '';
    if (token === '') throw badRequestError('token is required for TokenReview in authentication');
    return { status: await judge(token, stringList(own(spec, 'audiences')), parts) };
  },
};

async function judge(
  bearerToken: string,
  audiences: readonly string[],
  { tokens }: ReviewParts,
): Promise<JsonObject> {
  const credentials = {
    bearerToken,
    certificate: undefined,
    path: '',
    header: () => undefined,
    headersFrom: () => [],
    ...(audiences.length === 0 ? {} : { audiences }),
  };
  try {
    const found = await tokens.authenticate(credentials);
    if (found === undefined) return { user: {}, error: 'invalid bearer token' };
    const known = found.audiences === undefined ? {} : { audiences: [...found.audiences] };
    return { authenticated: true, user: userObject(found.user), ...known };
  } catch (error) {
    if (!(error instanceof BadCredentialsError)) throw error;
    return { user: {}, error: error.message };
  }
}
