import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { integer } from './row.ts';
import { refused } from './sqlite-error.ts';

/**
 * The mark that shows whether `ilk.db` is complete without its write-ahead log: the number that SQLite keeps in the
 * header of the file for applications, `user_version`. Each mark is one above the mark before it.
 *
 * - An odd mark is written into `ilk.db` before an even one is written into the log: a file with an odd mark lacks what
 *   its log holds.
 * - An even mark in `ilk.db` means that the log was copied into it completely, by Ilk or by `sqlite3`.
 *
 * Source: https://sqlite.org/fileformat2.html (database header, write-ahead log).
 */
const markOffset = 60;
const walHeaderBytes = 32;
const frameHeaderBytes = 24;

const isOdd = (mark: number): boolean => mark % 2 === 1;

/** Writes an odd mark, copies the log into the database, and marks the rest of the log as what completes it. */
export function checkpoint(database: DatabaseSync): void {
  const mark = readMark(database);
  const odd = isOdd(mark) ? mark + 2 : mark + 1;
  writeMark(database, odd);
  // PASSIVE does not wait: if a reader holds an old state, less is copied, and the next checkpoint copies more.
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  writeMark(database, odd + 1);
}

/** Copies the whole log into the database and empties it: then `ilk.db` alone is a complete copy. */
export function checkpointForClose(database: DatabaseSync): void {
  const mark = readMark(database);
  if (isOdd(mark)) writeMark(database, mark + 1);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** Makes a copy of a database, which has no log, complete by its mark. */
export function markComplete(database: DatabaseSync): void {
  const mark = readMark(database);
  if (isOdd(mark)) writeMark(database, mark + 1);
}

function readMark(database: DatabaseSync): number {
  return integer(database.prepare('PRAGMA user_version').get(), 'user_version');
}

function writeMark(database: DatabaseSync, mark: number): void {
  database.exec(`PRAGMA user_version = ${mark}`);
}

/** The marks of the files before SQLite opens them. */
type WalState = 'fine' | 'missing' | 'foreign';

/**
 * Checks that the write-ahead log that a database needs exists and belongs to it. Reads both files without SQLite,
 * which would treat a database without its log as complete.
 */
export function walState(databasePath: string): WalState {
  const walPath = `${databasePath}-wal`;
  const mark = markOfDatabase(databasePath);
  const walBytes = existsSync(walPath) ? statSync(walPath).size : 0;
  if (walBytes < walHeaderBytes + frameHeaderBytes) return isOdd(mark ?? 0) ? 'missing' : 'fine';
  const marks = marksOfWal(walPath, walBytes);
  const [first, last] = [marks.at(0), marks.at(-1)];
  if (mark === undefined || first === undefined || last === undefined) return 'fine';
  // A log begins when everything before it was copied into the database, and ends with what is to be copied.
  return first <= mark + 1 && last >= mark ? 'fine' : 'foreign';
}

/**
 * Refuses a database whose write-ahead log is missing or belongs to another one.
 *
 * @throws {StoreError} `refused`, with a text that names the files and the remedy
 */
export function checkWal(databasePath: string, state: WalState): void {
  if (state === 'fine') return;
  const walPath = `${databasePath}-wal`;
  const advice = 'restore a backup, or go on with what there is by --accept-missing-wal';
  if (state === 'missing') {
    throw refused(
      `${databasePath} is incomplete: the last writes are in ${walPath}, which is missing; put it back, ${advice}`,
    );
  }
  throw refused(
    `${walPath} is not the write-ahead log of ${databasePath}, but of another copy; put the right one back, ${advice}`,
  );
}

function markOfDatabase(path: string): number | undefined {
  // SQLite refuses what is not a file, with its own text.
  if (!existsSync(path) || !statSync(path).isFile()) return undefined;
  return withFile(path, (read) => read(markOffset, 4)?.readUInt32BE());
}

/** The marks that the log writes, oldest first: those in its frames of the first page. */
function marksOfWal(path: string, bytes: number): number[] {
  return withFile(path, (read) => {
    const header = read(0, walHeaderBytes);
    if (header === undefined) return [];
    const pageBytes = header.readUInt32BE(8);
    const salt = header.subarray(16, 24);
    const marks: number[] = [];
    const frameBytes = frameHeaderBytes + pageBytes;
    for (let at = walHeaderBytes; at + frameBytes <= bytes; at += frameBytes) {
      const frame = read(at, 16);
      // Frames of an earlier use of the file follow those of this one.
      if (frame === undefined || !frame.subarray(8, 16).equals(salt)) break;
      if (frame.readUInt32BE(0) !== 1) continue;
      const mark = read(at + frameHeaderBytes + markOffset, 4)?.readUInt32BE();
      if (mark !== undefined) marks.push(mark);
    }
    return marks;
  });
}

/** Reads some bytes at a position of a file; undefined if the file ends before. */
type ReadAt = (position: number, length: number) => Buffer | undefined;

function withFile<T>(path: string, use: (read: ReadAt) => T): T {
  const descriptor = openSync(path, 'r');
  try {
    return use((position, length) => {
      const buffer = Buffer.alloc(length);
      return readSync(descriptor, buffer, 0, length, position) === length ? buffer : undefined;
    });
  } finally {
    closeSync(descriptor);
  }
}
