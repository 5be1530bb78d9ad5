import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BackupEnd,
  type BackupFile,
  type BackupHead,
  copyStore,
  openDriver,
  readBackup,
  type RestoredDirectory,
  restoreDirectory,
  type StorageOptions,
} from '../../storage/index.ts';
import { storageRoot } from './storage-root.ts';
import { checkSideFiles, readSideFiles, writeSideFiles } from './side-files.ts';

/** The contents of a backup, and the revision at which the restored storage continues. */
export interface Restored extends BackupEnd, BackupHead {
  readonly goesOnFrom: number;
}

interface RestoreOptions {
  readonly dataDir: string;
  readonly certificates: boolean;
  /** How far above the backup's revision the storage continues. */
  readonly bump: number;
}

type Source = AsyncIterable<Uint8Array>;

interface Content {
  readonly head: BackupHead;
  readonly end: BackupEnd;
  readonly files: readonly BackupFile[];
}

/**
 * Reads a backup to its end and writes the records as they come. @throws {StoreError} `refused` for an incomplete
 * backup
 */
async function readInto(source: Source, directory?: RestoredDirectory): Promise<Content> {
  const entries = readBackup(source);
  const files: BackupFile[] = [];
  let head: BackupHead = { ilkBackup: 0, revision: 0, created: '' };
  for (;;) {
    const { value, done } = await entries.next();
    if (done === true) return { head, end: value, files };
    if ('head' in value) head = value.head;
    else if ('file' in value) files.push(value.file);
    else directory?.add(value.record);
  }
}

/** Verifies that a backup is complete. @throws {StoreError} `refused` if it is not */
export async function checkBackup(source: Source): Promise<Restored> {
  const { head, end } = await readInto(source);
  return { ...head, ...end, goesOnFrom: head.revision };
}

/**
 * Creates a data directory from a backup. The database appears only after the whole backup was read and verified.
 *
 * @throws {StoreError} `refused` for a directory with a database, and for an incomplete backup
 */
export async function restoreDataDir(source: Source, options: RestoreOptions): Promise<Restored> {
  const { dataDir, certificates, bump } = options;
  const directory = await restoreDirectory(dataDir);
  try {
    const { head, end, files } = await readInto(source, directory);
    const goesOnFrom = head.revision + bump;
    const wanted = certificates ? files : [];
    await checkSideFiles(wanted, dataDir);
    await writeSideFiles(wanted, dataDir);
    directory.finish(goesOnFrom);
    return { ...head, ...end, files: wanted.length, goesOnFrom };
  } finally {
    directory.close();
  }
}

/**
 * Fills a database that several servers may share. The backup is read and verified in a temporary folder before the
 * database is written to. An interrupted restore can be run again.
 *
 * @throws {StoreError} `refused` for a database that is not empty, and for an incomplete backup
 */
export async function restoreShared(
  source: Source,
  { storage, ...options }: RestoreOptions & { readonly storage: StorageOptions },
): Promise<Restored> {
  const folder = await mkdtemp(join(tmpdir(), 'ilk-restore-'));
  try {
    const directory = join(folder, 'data');
    const restored = await restoreDataDir(source, { ...options, dataDir: directory });
    const files = await readSideFiles(directory);
    await checkSideFiles(files, options.dataDir);
    const goesOnFrom = await copyInto(storage, directory);
    await writeSideFiles(files, options.dataDir);
    return { ...restored, goesOnFrom };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyInto(storage: StorageOptions, dataDir: string): Promise<number> {
  const parts = { root: storageRoot, onTrouble: () => {} };
  const to = await openDriver(storage, parts);
  try {
    const from = await openDriver({ kind: 'sqlite', dataDir }, parts);
    try {
      return (await copyStore(from.store, to.store, { root: `${storageRoot}/` })).targetRevision;
    } finally {
      await from.store.close();
    }
  } finally {
    await to.store.close();
  }
}
