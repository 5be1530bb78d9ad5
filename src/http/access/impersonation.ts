import {
  type AuthorizationAttributes,
  denialText,
  type HeaderLines,
  type Impersonation,
  ImpersonationHeaderError,
  type ImpersonationRefusal,
  type Impersonator,
  readWantedUser,
} from '../../auth/index.ts';
import { badRequestError, forbiddenError } from '../../meta/index.ts';
import type { HttpRequest } from '../message.ts';

/** The impersonation headers of a request. */
export function impersonationHeaders(http: HttpRequest): HeaderLines {
  return http.headersFrom('impersonate-');
}

/**
 * The impersonated user; undefined if the headers ask for no impersonation.
 *
 * @throws {StatusError} 400 for headers that name no user, 403
 */
export async function impersonate(
  impersonator: Impersonator,
  headers: HeaderLines,
  attributes: AuthorizationAttributes,
): Promise<Impersonation | undefined> {
  const wanted = wantedUser(headers);
  if (wanted === undefined) return undefined;
  const outcome = await impersonator.impersonate(wanted, attributes);
  if ('user' in outcome) return outcome;
  throw refusalError(outcome);
}

function wantedUser(headers: HeaderLines) {
  try {
    return readWantedUser(headers);
  } catch (error) {
    throw error instanceof ImpersonationHeaderError ? badRequestError(error.message) : error;
  }
}

function refusalError({ asked, reason }: ImpersonationRefusal) {
  const { group, resource, name } = asked.resource ?? { group: '', resource: '', name: '' };
  return forbiddenError({ group, resource }, name, denialText(asked, reason));
}
