import {
  type Authentication,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authenticator,
  type Authorizer,
  BadCredentialsError,
  type Credentials,
  denialText,
} from '../../auth/index.ts';
import { forbiddenError, unauthorizedError } from '../../meta/index.ts';
import type { HttpRequest } from '../message.ts';

/** Returns a plain value where possible: every request waits for it. */
type Soon<T> = T | Promise<T>;

/** Authenticates a request. @throws {StatusError} 401; also as a rejection */
export function authenticateRequest(authenticator: Authenticator, http: HttpRequest): Soon<Authentication> {
  if (http.trustedUser !== undefined) return { user: http.trustedUser };
  try {
    const found = authenticator.authenticate(credentialsOf(http));
    return found instanceof Promise ? found.then(required, refuseBadCredentials) : required(found);
  } catch (error) {
    return refuseBadCredentials(error);
  }
}

function credentialsOf(http: HttpRequest): Credentials {
  const header = http.header('authorization') ?? '';
  return {
    bearerToken: header === '' ? '' : bearerToken(header),
    certificate: http.certificate,
    path: http.path,
    header: (name) => http.header(name),
    headersFrom: (prefix) => http.headersFrom(prefix),
  };
}

/** Source: apiserver, authentication/request/bearertoken: the second word is the token, further words are ignored. */
function bearerToken(header: string): string {
  const [scheme = '', token = ''] = header.trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' ? token : '';
}

function required(found: Authentication | undefined): Authentication {
  if (found === undefined) throw unauthorizedError();
  return found;
}

/** The client does not learn why its credentials were rejected. */
function refuseBadCredentials(error: unknown): never {
  throw error instanceof BadCredentialsError ? unauthorizedError() : error;
}

/**
 * Resolves if a request is allowed.
 *
 * @param onDecision called with every decision
 * @throws {StatusError} 403; also as a rejection
 */
export function authorizeRequest(
  authorizer: Authorizer,
  attributes: AuthorizationAttributes,
  onDecision: (decision: AuthorizationDecision) => void,
): Soon<void> {
  const decided = authorizer.authorize(attributes);
  if (decided instanceof Promise)
    return decided.then((decision) => {
      onDecision(decision);
      refuseUnlessAllowed(attributes, decision);
    });
  onDecision(decided);
  refuseUnlessAllowed(attributes, decided);
}

function refuseUnlessAllowed(
  attributes: AuthorizationAttributes,
  { verdict, reason }: AuthorizationDecision,
): void {
  if (verdict === 'allow') return;
  const { group, resource, name } = attributes.resource ?? { group: '', resource: '', name: '' };
  throw forbiddenError({ group, resource }, name, denialText(attributes, reason));
}
