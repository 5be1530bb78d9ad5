import { setTimeout as sleep } from 'node:timers/promises';
import { changeIssuedUsers } from '../../auth/index.ts';
import { limits } from '../../meta/index.ts';
import { ApiClient } from '../../client/index.ts';
import { isCurrent } from './add-user.ts';
import { adminFetch, readAdminAccess } from './admin-client.ts';
import { deleteBinding } from './bindings.ts';
import { adminKubeconfig, type DataFlags, readOurs, usersFile } from './data-files.ts';

/**
 * `ilk user remove`: revokes the certificate; a running server notices it by itself. Users whose certificates have
 * expired are removed from the list.
 *
 * @throws {Error} if there is no such user
 */
export async function removeUser(name: string, flags: DataFlags): Promise<void> {
  const now = Date.now();
  const bindings: string[] = [];
  await changeIssuedUsers(usersFile(flags), (users) => {
    if (!users.some((user) => user.name === name && isCurrent(user)))
      throw new Error(`there is no user ${name}`);
    return users
      .filter(({ expires }) => Date.parse(expires) > now)
      .map((user) => {
        if (user.name !== name || user.removed !== undefined) return user;
        bindings.push(...user.bindings);
        return { ...user, removed: new Date(now).toISOString() };
      });
  });
  // Requests after the end of this command are refused.
  await sleep(limits.revocationsAgeMsMax);
  process.stderr.write(`ilk: ${name} is removed\n`);
  await deleteBindings(bindings, flags);
}

async function deleteBindings(bindings: readonly string[], flags: DataFlags): Promise<void> {
  if (bindings.length === 0) return;
  const path = adminKubeconfig(flags);
  try {
    const client = new ApiClient(adminFetch(readAdminAccess(path, await readOurs(path))));
    for (const binding of bindings) await deleteBinding(client, binding);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`ilk: the bindings of the user are left, ${bindings.join(', ')}: ${why}\n`);
  }
}
