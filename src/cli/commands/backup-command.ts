import { resolve } from 'node:path';
import { Command } from 'commander';
import { systemClock } from '../../meta/index.ts';
import { driverOf, type FlagValues, type StoreView, writeBackup } from '../../storage/index.ts';
import { openTarget } from '../backup/backup-target.ts';
import { readSideFiles } from '../backup/side-files.ts';
import { usualDataDir } from '../flags/data-folder.ts';
import { addStorageFlags, storageOf } from '../flags/storage-flags.ts';
import { storageRoot } from '../backup/storage-root.ts';

interface BackupFlags extends FlagValues {
  readonly dataDir: string;
  readonly certificates: boolean;
}

/** `ilk backup`: a consistent copy of any storage, in one file or stream. */
export function backupCommand(): Command {
  const command = new Command('backup')
    .description('write a consistent copy of a storage to one file; servers may be running on it')
    .argument('<file>', 'the file to make, which must not be there; - is standard output')
    .option('--data-dir <dir>', 'the data directory', usualDataDir)
    .option('--no-certificates', 'skip the certificates and keys in <data-dir>/pki');
  return addStorageFlags(command).action(backup);
}

async function backup(path: string, flags: BackupFlags): Promise<void> {
  const dataDir = resolve(flags.dataDir);
  const view = await viewOf(flags, dataDir);
  try {
    const target = await openTarget(path);
    try {
      const files = flags.certificates ? await readSideFiles(dataDir) : [];
      const { revision, records } = view;
      const created = new Date(systemClock.now()).toISOString();
      const end = await writeBackup({ revision, created, files, records }, (text) => target.write(text));
      await target.finish();
      const what = `${end.records} objects at revision ${revision} and ${end.files} files`;
      process.stderr.write(`ilk: wrote ${what} to ${target.name}, SHA-256 ${end.sha256}\n`);
    } finally {
      await target.close();
    }
  } finally {
    await view.close();
  }
}

async function viewOf(flags: BackupFlags, dataDir: string): Promise<StoreView> {
  const storage = await storageOf(flags, dataDir);
  const driver = driverOf(storage.kind);
  if (driver.view === undefined)
    throw new Error('objects in memory cannot be read from outside: use ilk export');
  return driver.view(storage, { root: storageRoot, onTrouble: () => {} });
}
