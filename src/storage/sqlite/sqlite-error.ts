import { StoreError, type StoreErrorCode } from '../store.ts';

/** Result codes of https://sqlite.org/rescode.html that mean something of their own here. */
export const sqliteCode = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** What does not pass by itself. */
const finalCodes: readonly number[] = [sqliteCode.ioError, sqliteCode.corrupt, sqliteCode.notADatabase];

/** No room for the index of the write-ahead log, which SQLite reports as an input/output error. */
const noRoomForSharedMemory = 4874;

const extendedCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** SQLite's texts of codes, for failures without a code: the package for Node 20 omits it in `step`. */
const codeOfText: ReadonlyMap<string, number> = new Map([
  ['database is locked', sqliteCode.busy],
  ['attempt to write a readonly database', sqliteCode.readOnly],
  ['disk I/O error', sqliteCode.ioError],
  ['database disk image is malformed', sqliteCode.corrupt],
  ['database or disk is full', sqliteCode.full],
  ['unable to open database file', sqliteCode.cannotOpen],
  ['file is not a database', sqliteCode.notADatabase],
]);

/** The primary result code of a failure; 0 where it is none of SQLite's. */
export const primaryCode = (error: unknown): number =>
  (extendedCode(error) || (codeOfText.get(messageOf(error)) ?? 0)) & 0xff;

/** What a failure of SQLite means to the user of a store. */
export function storeError(error: unknown, doing: string): StoreError {
  if (error instanceof StoreError) return error;
  const full = primaryCode(error) === sqliteCode.full || extendedCode(error) === noRoomForSharedMemory;
  const code: StoreErrorCode = full
    ? 'no-space'
    : finalCodes.includes(primaryCode(error))
      ? 'damaged'
      : 'unavailable';
  return new StoreError(code, `${doing}: ${messageOf(error)}`, { cause: error });
}

/** The failure of a database that is damaged, in a sentence that names its file. */
export const damaged = (path: string, { message, cause }: StoreError): StoreError =>
  new StoreError('damaged', `${path} is damaged, restore a backup: ${message}`, { cause });

/** A data directory that this process must leave alone. */
export const refused = (sentence: string, cause?: unknown): StoreError =>
  new StoreError('refused', sentence, { cause });
