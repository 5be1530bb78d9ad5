import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { isObject, ownString } from '../../meta/index.ts';
import { ApiClient } from '../../client/index.ts';
import { usualDataDir } from '../flags/data-folder.ts';
import { adminFetch, readAdminAccess } from '../user/admin-client.ts';

/** `ilk console`: prints a link that signs the user of a kubeconfig in to the web console. */
export function consoleCommand(): Command {
  return new Command('console')
    .description('print a one-time link that opens the web console as the user of a kubeconfig')
    .option(
      '--kubeconfig <file>',
      `kubeconfig of the user (default: $KUBECONFIG, else ${join(usualDataDir, 'admin.kubeconfig')})`,
    )
    .action(async ({ kubeconfig }: { readonly kubeconfig?: string }) => {
      process.stdout.write(`${await newLink(kubeconfig ?? usualKubeconfig())}\n`);
    });
}

function usualKubeconfig(): string {
  const [first = ''] = (process.env['KUBECONFIG'] ?? '').split(':');
  return first === '' ? join(usualDataDir, 'admin.kubeconfig') : first;
}

/** @throws {Error} for a kubeconfig that cannot be used, and for a refusal of the server */
async function newLink(path: string): Promise<string> {
  const client = new ApiClient(adminFetch(readAdminAccess(path, await readFile(path, 'utf8'))));
  const { object, refusal } = await client.call('POST', '/ilk/v1/console/codes');
  if (refusal?.code === 404)
    throw new Error('the server has no console: it runs with --console=false, or is no Ilk');
  const url = isObject(object) ? ownString(object, 'url') : undefined;
  if (url === undefined) throw new Error(refusal?.message ?? 'the server answered without a link');
  return url;
}
