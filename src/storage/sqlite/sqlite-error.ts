import { StoreError, type StoreErrorCode } from '../store.ts';

/** Result codes of https://sqlite.org/rescode.html that mean something of their own here. */
export const sqliteCode = { busy: 5, readOnly: 8, full: 13, cannotOpen: 14, notADatabase: 26 } as const;

/** No room for the index of the write-ahead log, which SQLite reports as an input/output error. */
const noRoomForSharedMemory = 4874;

const extendedCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

/** The primary result code of a failure; 0 where it is none of SQLite's. */
export const primaryCode = (error: unknown): number => extendedCode(error) & 0xff;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a failure of SQLite means to the user of a store. */
export function storeError(error: unknown, doing: string): StoreError {
  if (error instanceof StoreError) return error;
  const full = primaryCode(error) === sqliteCode.full || extendedCode(error) === noRoomForSharedMemory;
  const code: StoreErrorCode = full ? 'no-space' : 'unavailable';
  return new StoreError(code, `${doing}: ${messageOf(error)}`, { cause: error });
}

/** A data directory that this process must leave alone. */
export const refused = (sentence: string, cause?: unknown): StoreError =>
  new StoreError('refused', sentence, { cause });
