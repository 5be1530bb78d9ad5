import { goQuote, type UserInfo } from '../../meta/index.ts';
import type { HeaderLines } from '../authentication/credentials.ts';

/** The user that a client wants to act as, from its headers. */
export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const extraPrefix = 'impersonate-extra-';

/** Impersonation headers without a user name. The message is upstream's. */
export class ImpersonationHeaderError extends Error {
  override readonly name = 'ImpersonationHeaderError';
}

/**
 * Reads `Impersonate-User`, `-Group`, `-Uid` and `-Extra-<key>`; undefined without such headers.
 * Source: apiserver, endpoints/filters/impersonation/constrained_impersonation.go, processImpersonationHeaders.
 *
 * @throws {ImpersonationHeaderError} for impersonation headers without a user name
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

/** A key that cannot be decoded is used unchanged. */
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

/** True if only the name is given. */
export function namesOnly({ uid, groups, extra }: WantedUser): boolean {
  return uid === '' && groups.length === 0 && extra.size === 0;
}

const anonymous = 'system:anonymous';
const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';

/** The effective user, with the group that users of its kind always have. */
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
