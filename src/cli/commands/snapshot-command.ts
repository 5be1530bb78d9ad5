import { cp } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { snapshotDirectory } from '../../storage/index.ts';

/** `ilk snapshot`: backs up a data directory while a server uses it. */
export function snapshotCommand(): Command {
  return new Command('snapshot')
    .description('copy a data directory at one revision; a server may be running on it')
    .argument('<target>', 'the directory to make; serve it with --data-dir')
    .option('--data-dir <dir>', 'the data directory', './ilk-data')
    .action(run);
}

/** With its certificates, so that clients of the original accept the copy. */
async function run(target: string, { dataDir }: { readonly dataDir: string }): Promise<void> {
  const [from, to] = [resolve(dataDir), resolve(target)];
  await snapshotDirectory(from, to);
  const certificates = join(from, 'pki');
  if (existsSync(certificates)) await cp(certificates, join(to, 'pki'), { recursive: true });
  process.stderr.write(`ilk: copied ${from} to ${to}\n`);
}
