import { type Authorizer, denialText } from '../auth/index.ts';
import { forbiddenError, type UserInfo } from '../meta/index.ts';

/** A read that needs authorization, besides that of the path. */
interface Reading {
  readonly user: UserInfo;
  readonly verb: 'get' | 'list';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly name?: string;
}

/** Why a user may not read something; undefined where it may. */
export async function denialOf(authorizer: Authorizer, reading: Reading): Promise<string | undefined> {
  const { user, verb, name = '', group, version, resource } = reading;
  const attributes = {
    user,
    verb,
    path: `/apis/${group}/${version}/${resource}${name === '' ? '' : `/${name}`}`,
    resource: { group, version, resource, subresource: '', namespace: '', name },
  };
  const { verdict, reason } = await authorizer.authorize(attributes);
  return verdict === 'allow' ? undefined : denialText(attributes, reason);
}

/** @throws {StatusError} 403, as the API would refuse it */
export async function refuseUnlessReadable(authorizer: Authorizer, reading: Reading): Promise<void> {
  const denial = await denialOf(authorizer, reading);
  if (denial === undefined) return;
  const { group, resource, name = '' } = reading;
  throw forbiddenError({ group, resource }, name, denial);
}
