import { createHash, type Hash } from 'node:crypto';
import { type BackupEnd, type BackupEntry, badBackup, endOf, entryOf, headOf, parseLine } from './format.ts';

/** Of one object; a value of SQLite may have as many bytes, and JSON doubles most of them at worst. */
const lineBytesMax = 512 * 1024 * 1024;
const newline = 0x0a;

/**
 * The entries of a backup, in its order: its head, files, records. Entries are not verified until the generator
 * returns, and must not be used before.
 *
 * @throws {StoreError} `refused` if it is not a backup, is incomplete, or is corrupted
 */
export async function* readBackup(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<BackupEntry, BackupEnd, undefined> {
  const hash = createHash('sha256');
  const counts = { records: 0, files: 0 };
  let [number, revision] = [0, 0];
  let end: BackupEnd | undefined;
  for await (const line of linesOf(chunks)) {
    number += 1;
    if (end !== undefined) throw badBackup('is damaged: there is something behind its last line');
    const fields = parseLine(line.subarray(0, -1).toString('utf8'), number);
    end = number === 1 ? undefined : endOf(fields);
    if (end !== undefined) continue;
    hash.update(line);
    const entry = number === 1 ? { head: headOf(fields) } : entryOf(fields, number);
    if ('head' in entry) revision = entry.head.revision;
    if ('file' in entry) counts.files += 1;
    if ('record' in entry) {
      counts.records += 1;
      if (entry.record.modRevision > revision)
        throw badBackup(`is damaged: line ${number} is of a later revision`);
    }
    yield entry;
  }
  return verified(end, counts, hash);
}

function verified(end: BackupEnd | undefined, counts: Omit<BackupEnd, 'sha256'>, hash: Hash): BackupEnd {
  if (end === undefined) throw badBackup('is cut off: it has no last line');
  if (end.records !== counts.records || end.files !== counts.files) {
    const [has, says] = [counts, end].map(({ records, files }) => `${records} records and ${files} files`);
    throw badBackup(`is damaged: it has ${has}, and should have ${says}`);
  }
  if (hash.digest('hex') !== end.sha256) throw badBackup('is damaged: its checksum is another one');
  return end;
}

/** Lines with their ends; one that has none is cut off. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let kept = 0;
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = rest.indexOf(newline); at >= 0; at = rest.indexOf(newline)) {
      yield Buffer.concat([...parts, rest.subarray(0, at + 1)]);
      [parts, kept, rest] = [[], 0, rest.subarray(at + 1)];
    }
    if (rest.length > 0) parts.push(rest);
    kept += rest.length;
    if (kept > lineBytesMax) throw badBackup('has a line that is too long');
  }
  if (kept > 0) throw badBackup('is cut off in the middle of a line');
}
