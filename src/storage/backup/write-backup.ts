import { createHash } from 'node:crypto';
import type { Revision, StoredRecord } from '../store.ts';
import {
  type BackupEnd,
  type BackupFile,
  endLine,
  fileLine,
  formatVersion,
  headLine,
  recordLine,
} from './format.ts';

/** The parts of a backup. */
export interface BackupSource {
  readonly revision: Revision;
  readonly created: string;
  readonly files: readonly BackupFile[];
  readonly records: AsyncIterable<StoredRecord> | Iterable<StoredRecord>;
}

/** Writes some text, and waits where the reader is slow. */
type WriteText = (text: string) => Promise<void>;

/** Writes a backup, and returns the content of its last line. */
export async function writeBackup(source: BackupSource, write: WriteText): Promise<BackupEnd> {
  const hash = createHash('sha256');
  const put = async (line: string) => {
    hash.update(line);
    await write(line);
  };
  const { revision, created, files } = source;
  await put(headLine({ ilkBackup: formatVersion, revision, created }));
  for (const file of files) await put(fileLine(file));
  let records = 0;
  for await (const record of source.records) {
    await put(recordLine(record));
    records += 1;
  }
  const end = { records, files: files.length, sha256: hash.digest('hex') };
  await write(endLine(end));
  return end;
}
