import { createHash, timingSafeEqual } from 'node:crypto';
import type { Authentication } from './authentication.ts';
import type { Authenticator } from './authenticator.ts';

/** An invalid token file; the message names the line. */
class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

interface KnownToken {
  readonly digest: Buffer;
  readonly authentication: Authentication;
}

/**
 * The static tokens of `--token-auth-file`: lines of `token,user,uid,"group1,group2"`; groups are optional.
 * Source: apiserver, token/tokenfile.
 *
 * @throws {TokenFileError} for a line with fewer than three fields or without a token or user
 */
export function parseTokenFile(text: string): Authenticator {
  const tokens = text.split('\n').flatMap((line, index) => readLine(line, index + 1));
  return {
    authenticate: ({ bearerToken }) => (bearerToken === '' ? undefined : findUser(tokens, bearerToken)),
  };
}

/** Compares digests of equal length, so that the time taken reveals nothing about the tokens. */
function findUser(tokens: readonly KnownToken[], token: string): Authentication | undefined {
  const digest = digestOf(token);
  let found: Authentication | undefined;
  for (const known of tokens) if (timingSafeEqual(known.digest, digest)) found ??= known.authentication;
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
  const user = { name, ...(uid === '' ? {} : { uid }), groups: listed };
  return [{ digest: digestOf(token), authentication: { user } }];
}

/** The fields of a CSV line: a quoted field may contain commas, and `""` is a quote in it. */
function splitFields(line: string): string[] {
  const fields = `,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...fields].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain?.trim() ?? '');
}
