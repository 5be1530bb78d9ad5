import { goQuote, type UserInfo } from '../../meta/index.ts';
import type { HeaderLines } from '../authentication/credentials.ts';

/** What a client asks to be, as its headers say it. */
export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const extraPrefix = 'impersonate-extra-';

/** Headers for impersonation that name no user. The text is upstream's. */
export class ImpersonationHeaderError extends Error {
  override readonly name = 'ImpersonationHeaderError';
}

/**
 * Reads `Impersonate-User`, `-Group`, `-Uid` and `-Extra-<key>`; undefined where nobody is to be impersonated.
 * Source: apiserver, endpoints/filters/impersonation/constrained_impersonation.go, processImpersonationHeaders.
 *
 * @throws {ImpersonationHeaderError} for headers that say more of a user without a name
 */
export function readWantedUser(headers: HeaderLines): WantedUser | undefined {
  const valuesOf = (name: string) => headers.filter(([key]) => key === name).map(([, value]) => value);
  const extra = new Map<string, string[]>();
  for (const [name, value] of headers) {
    if (!name.startsWith(extraPrefix)) continue;
    const key = unescaped(name.slice(extraPrefix.length));
    extra.set(key, [...(extra.get(key) ?? []), value]);
  }
  const [name = ''] = valuesOf('impersonate-user');
  const [uid = ''] = valuesOf('impersonate-uid');
  const wanted = { name, uid, groups: valuesOf('impersonate-group'), extra };
  if (name !== '') return wanted;
  if (uid === '' && wanted.groups.length === 0 && extra.size === 0) return undefined;
  throw new ImpersonationHeaderError(`requested ${goText(wanted)} without impersonating a user name`);
}

/** What cannot be decoded is taken as it is. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** As Go's `%#v` prints upstream's struct. */
function goText({ uid, groups, extra }: WantedUser): string {
  const list = (values: readonly string[]) => `[]string{${values.map((value) => goQuote(value)).join(', ')}}`;
  const groupsText = groups.length === 0 ? '[]string(nil)' : list(groups);
  const entries = [...extra].sort(([a], [b]) => (a < b ? -1 : 1));
  const extraText =
    entries.length === 0
      ? 'map[string][]string(nil)'
      : `map[string][]string{${entries.map(([key, values]) => `${goQuote(key)}:${list(values)}`).join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:${groupsText}, Extra:${extraText}}`;
}

/** True where nothing but the name is asked for. */
export function namesOnly({ uid, groups, extra }: WantedUser): boolean {
  return uid === '' && groups.length === 0 && extra.size === 0;
}

const anonymous = 'system:anonymous';
const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';

/** The user that a request goes on as, with the group that everybody of its sort has. */
export function impersonatedUser({ name, uid, extra }: WantedUser, groups: readonly string[]): UserInfo {
  const sort = name === anonymous ? unauthenticated : authenticated;
  const isSorted = groups.includes(sort) || groups.includes(unauthenticated);
  return Object.freeze({
    name,
    groups: Object.freeze(isSorted ? [...groups] : [...groups, sort]),
    ...(uid === '' ? {} : { uid }),
    ...(extra.size === 0 ? {} : { extra }),
  });
}
