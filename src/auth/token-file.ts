import { createHash, timingSafeEqual } from 'node:crypto';
import type { UserInfo } from '../meta/index.ts';
import { type Authenticator, withAuthenticated } from './authenticator.ts';

/** A token file that cannot be used, with the line that is wrong. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

interface KnownToken {
  readonly digest: Buffer;
  readonly user: UserInfo;
}

/**
 * The static tokens of `--token-auth-file`: lines of `token,user,uid,"group1,group2"`; groups may be left out.
 * Source: apiserver, token/tokenfile.
 *
 * @throws {TokenFileError} for a line with less than three fields or without a token or a user
 */
export function parseTokenFile(text: string): Authenticator {
  const tokens = text.split('\n').flatMap((line, index) => readLine(line, index + 1));
  return ({ bearerToken }) => (bearerToken === '' ? undefined : findUser(tokens, bearerToken));
}

/** Digests of equal length are compared, so that the time taken tells nothing about the tokens. */
function findUser(tokens: readonly KnownToken[], token: string): UserInfo | undefined {
  const digest = digestOf(token);
  let found: UserInfo | undefined;
  for (const known of tokens) if (timingSafeEqual(known.digest, digest)) found ??= known.user;
  return found;
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function readLine(line: string, number: number): KnownToken[] {
  if (line.trim() === '' || line.startsWith('#')) return [];
  const [token = '', name = '', uid, groups = ''] = splitFields(line);
  if (uid === undefined) {
    throw new TokenFileError(`line ${number}: a token needs at least three fields: token, user, uid`);
  }
  if (token === '' || name === '')
    throw new TokenFileError(`line ${number}: token and user must not be empty`);
  const listed = groups.split(',').filter((group) => group !== '');
  const user = { name, ...(uid === '' ? {} : { uid }), groups: withAuthenticated(listed) };
  return [{ digest: digestOf(token), user }];
}

/** The fields of a line of CSV: a field in double quotes may hold commas, and `""` is a quote in it. */
function splitFields(line: string): string[] {
  const fields = `,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...fields].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain?.trim() ?? '');
}
