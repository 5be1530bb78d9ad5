import { type KeyRange, StoreError } from './store.ts';

const notAKey = /[\0\ud800-\udfff]/u;

/** Whether a string may be a key: not empty, no NUL, no half of a surrogate pair. */
export const isKey = (key: string): boolean => key !== '' && !notAKey.test(key);

/** @throws {StoreError} `refused` for what {@link isKey} is not true of */
export function requireKey(key: string): void {
  if (!isKey(key)) throw new StoreError('refused', `${JSON.stringify(key)} cannot be a key`);
}

const aboveSurrogates = /[\ud800-\uffff]/;
const moved = /[\ud800-\uffff]/g;

/** U+E000 to U+FFFF sort below the surrogates, as their UTF-8 sorts below that of U+10000 and up. */
const moveUnit = (unit: string): string => {
  const code = unit.charCodeAt(0);
  return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
};

/**
 * A string whose order under `<` is the order of the key's UTF-8 bytes, which is the order of code points. JavaScript
 * compares UTF-16 units, where an emoji comes before U+FFFD. Nearly every key is its own sort key.
 */
export const sortKey = (key: string): string =>
  aboveSurrogates.test(key) ? key.replace(moved, moveUnit) : key;

/** A range as two sort keys: what `sortKey(key)` is compared with. */
export interface SortRange {
  readonly start: string;
  readonly end: string;
}

export const sortRange = (range: KeyRange): SortRange => ({
  start: sortKey(range.start),
  end: sortKey(range.end),
});

/** Whether a sort key lies in a range of sort keys. */
export const contains = (range: SortRange, key: string): boolean => range.start <= key && key < range.end;
