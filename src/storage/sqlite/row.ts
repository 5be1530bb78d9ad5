import type { SQLOutputValue } from 'node:sqlite';
import { StoreError, type StoreEvent, type StoredRecord } from '../store.ts';

/** A row as SQLite gives it. */
type Row = Record<string, SQLOutputValue>;

const damaged = (column: string): StoreError => new StoreError('damaged', `a row has no proper ${column}`);

/** The number in a column. */
export function integer(row: Row | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== 'number') throw damaged(column);
  return value;
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw damaged(column);
  return value;
}

/** The bytes in a column, in a buffer of their own. Some bindings return an empty value as NULL. */
export function bytes(row: Row | undefined, column: string): Uint8Array {
  const value = row?.[column];
  if (value === null) return new Uint8Array(0);
  if (!(value instanceof Uint8Array)) throw damaged(column);
  return value;
}

/** A row of `key`, `revision`, `value`. */
export const recordOf = (row: Row): StoredRecord => ({
  key: text(row, 'key'),
  value: bytes(row, 'value'),
  modRevision: integer(row, 'revision'),
});

/** A row of `key`, `revision`, `deleted`, `value`, `previous`, `previous_value`. */
export function eventOf(row: Row): StoreEvent {
  const key = text(row, 'key');
  const deleted = integer(row, 'deleted') === 1;
  const modRevision = integer(row, 'previous');
  return {
    type: deleted ? 'delete' : 'put',
    key,
    revision: integer(row, 'revision'),
    value: deleted ? undefined : bytes(row, 'value'),
    previous: modRevision === 0 ? undefined : { key, value: bytes(row, 'previous_value'), modRevision },
  };
}
