import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isObject, type JsonValue, ownList, ownString, own, stringList } from '../../meta/index.ts';

/** A user with a client certificate. Times are RFC 3339. */
export interface IssuedUser {
  readonly name: string;
  readonly groups: readonly string[];
  /** SHA-256 of the certificate, in lower-case hex. */
  readonly fingerprint: string;
  /** When the certificate expires. */
  readonly expires: string;
  /** When the user was removed; the certificate is invalid from then on. */
  readonly removed?: string;
  /** Paths of the role bindings created for the user. */
  readonly bindings: readonly string[];
}

/** The file lies beside the CA that signs the certificates. */
export const usersFileName = 'users.json';

/** The users of a file; none if it does not exist. @throws {Error} if the file cannot be read */
export async function readIssuedUsers(path: string): Promise<IssuedUser[]> {
  try {
    return parseIssuedUsers(path, await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** @throws {Error} if the text is not a list of users: the removed users would be unknown */
export function parseIssuedUsers(path: string, text: string): IssuedUser[] {
  try {
    const value: JsonValue = JSON.parse(text);
    const users = isObject(value) ? ownList(value, 'users') : undefined;
    if (users === undefined) throw new Error('it has no list "users"');
    return users.map(readUser);
  } catch (error) {
    throw new Error(`${path} is damaged: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function readUser(value: JsonValue): IssuedUser {
  const user = isObject(value) ? value : {};
  const [name, fingerprint, expires] = ['name', 'fingerprint', 'expires'].map((key) => ownString(user, key));
  if (name === undefined || fingerprint === undefined || expires === undefined) {
    throw new Error('a user needs "name", "fingerprint" and "expires"');
  }
  const removed = ownString(user, 'removed');
  const listed = { groups: stringList(own(user, 'groups')), bindings: stringList(own(user, 'bindings')) };
  return { name, fingerprint, expires, ...listed, ...(removed === undefined ? {} : { removed }) };
}

/**
 * Replaces the users of a file by the result of a function; if it throws, the file is unchanged. Changes are exclusive:
 * the temporary file is the lock.
 *
 * @throws {Error} if another change is in progress
 */
export async function changeIssuedUsers(
  path: string,
  change: (users: readonly IssuedUser[]) => readonly IssuedUser[] | Promise<readonly IssuedUser[]>,
): Promise<void> {
  const unfinished = `${path}.new`;
  try {
    await writeFile(unfinished, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new Error(`${unfinished} is there: another command changes the users; if none does, remove it`);
  }
  try {
    const users = await change(await readIssuedUsers(path));
    await writeFile(unfinished, `${JSON.stringify({ users }, undefined, 2)}\n`);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}
