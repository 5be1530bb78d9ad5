import { StoreError, type StoredRecord, type StoreEvent } from '../store.ts';
import type { Row } from './connections.ts';

const damaged = (what: string): StoreError =>
  new StoreError('damaged', `PostgreSQL: a row has no proper ${what}`);

export function integer(row: Row | undefined, column: number): number {
  const value = row?.[column];
  if (typeof value !== 'number') throw damaged('number');
  return value;
}

function bytes(row: Row, column: number): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw damaged('value');
  return value;
}

const text = (row: Row, column: number): string => {
  const value = bytes(row, column);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
};

/** Columns from `at` on: key, revision, value. */
export const recordOf = (row: Row, at: number): StoredRecord => ({
  key: text(row, at),
  value: bytes(row, at + 2),
  modRevision: integer(row, at + 1),
});

/** Columns from `at` on: revision, key, deleted, value, previous, previous value. */
export function eventOf(row: Row, at: number): StoreEvent {
  const key = text(row, at + 1);
  const deleted = row[at + 2] === true;
  const modRevision = integer(row, at + 4);
  return {
    type: deleted ? 'delete' : 'put',
    key,
    revision: integer(row, at),
    value: deleted ? undefined : bytes(row, at + 3),
    previous: modRevision === 0 ? undefined : { key, value: bytes(row, at + 5), modRevision },
  };
}
