import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { FlagValues } from '../../storage/index.ts';
import { openBackup } from '../backup/open-backup.ts';
import { checkBackup, type Restored, restoreDataDir, restoreShared } from '../backup/restore.ts';
import { usualDataDir } from '../flags/data-folder.ts';
import { numberFlag } from '../flags/number-flag.ts';
import { addStorageFlags, storageOf } from '../flags/storage-flags.ts';

interface RestoreFlags extends FlagValues {
  readonly dataDir: string;
  readonly certificates: boolean;
  readonly check: boolean;
  readonly bumpRevisions?: number;
}

/** Revisions are free in our own file, and cost a write each in a shared database. */
const bump = { own: 1_000_000, shared: 10_000 };

/** `ilk restore`: creates a storage from a backup. */
export function restoreCommand(): Command {
  const command = new Command('restore')
    .description('fill an empty storage from a backup; no server may be running on it')
    .argument('<file>', 'what ilk backup has written; - is standard input')
    .option('--data-dir <dir>', 'the data directory', usualDataDir)
    .option('--no-certificates', 'skip the certificates and keys of the backup')
    .option('--check', 'verify the backup without writing anything', false)
    .addOption(
      new Option(
        '--bump-revisions <count>',
        `resourceVersions go on so far above those of the backup (default: ${bump.own}; ${bump.shared} for etcd and PostgreSQL)`,
      ).argParser(numberFlag({ min: 0, max: 1_000_000_000_000, reason: 'not a number of revisions.' })),
    );
  return addStorageFlags(command).action(restore);
}

async function restore(path: string, flags: RestoreFlags): Promise<void> {
  const source = await openBackup(path);
  if (flags.check) return tell('verified', await checkBackup(source));
  const dataDir = resolve(flags.dataDir);
  const storage = await storageOf(flags, dataDir);
  const options = { dataDir, certificates: flags.certificates };
  if (storage.kind === 'memory') throw new Error('objects in memory cannot be restored: use ilk import');
  const restored =
    storage.kind === 'sqlite'
      ? await restoreDataDir(source, { ...options, bump: flags.bumpRevisions ?? bump.own })
      : await restoreShared(source, { ...options, storage, bump: flags.bumpRevisions ?? bump.shared });
  tell('restored', restored);
  process.stderr.write(
    `ilk: resourceVersions go on from ${restored.goesOnFrom}, above the old ${restored.revision}: clients list again\n`,
  );
}

function tell(what: string, { records, files, revision, created }: Restored): void {
  process.stderr.write(
    `ilk: ${what} ${records} objects of revision ${revision} and ${files} files, of ${created}\n`,
  );
}
