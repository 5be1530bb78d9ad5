import { keysFrom, type SortedMap } from '../entries/sorted-map.ts';

/** Iterates over keys in order, without duplicates. */
export interface KeyCursor {
  /** The current key; undefined at the end. */
  readonly key: string | undefined;
  /** Advances to the next key. */
  next(): void;
  /** Advances to the first key not before the given one; does not move if that is the current key. */
  seek(key: string): void;
}

/** Over a sorted list, from `start` (included) to `end` (excluded). */
export class ArrayCursor implements KeyCursor {
  readonly #keys: readonly string[];
  readonly #end: string;
  #at: number;
  key: string | undefined;

  constructor(keys: readonly string[], start: string, end: string) {
    this.#keys = keys;
    this.#end = end;
    this.#at = firstFrom(keys, start);
    this.#look();
  }

  next(): void {
    this.#at += 1;
    this.#look();
  }

  seek(key: string): void {
    if (this.key === undefined || this.key >= key) return;
    this.#at = gallop(this.#keys, key, this.#at);
    this.#look();
  }

  #look(): void {
    const key = this.#keys[this.#at];
    this.key = key !== undefined && key < this.#end ? key : undefined;
  }
}

/** The number of keys fetched at a time: few at first, because an iteration often ends after a page. */
const runFrom = 16;
const runTo = 512;

/** Over the keys of a sorted map, from `start` (included) to `end` (excluded). */
export class TreeCursor implements KeyCursor {
  readonly #map: SortedMap<unknown>;
  readonly #end: string;
  #run: readonly string[] = [];
  #runLength = runFrom;
  #at = 0;
  key: string | undefined;

  constructor(map: SortedMap<unknown>, start: string, end: string) {
    this.#map = map;
    this.#end = end;
    this.#fetch(start);
  }

  next(): void {
    this.#at += 1;
    if (this.#at < this.#run.length) this.key = this.#run[this.#at];
    else if (this.key !== undefined) this.#fetch(`${this.key}\0`);
  }

  seek(key: string): void {
    if (this.key === undefined || this.key >= key) return;
    const last = this.#run[this.#run.length - 1];
    if (last === undefined || last < key) {
      // A seek beyond the whole run: the next run may be skipped as well.
      this.#runLength = runFrom;
      return this.#fetch(key);
    }
    this.#at = gallop(this.#run, key, this.#at);
    this.key = this.#run[this.#at];
  }

  #fetch(start: string): void {
    this.#run = keysFrom(this.#map, start, this.#end, this.#runLength);
    this.#runLength = Math.min(this.#runLength * 2, runTo);
    this.#at = 0;
    this.key = this.#run[0];
  }
}

/** Like {@link firstFrom}, for a key that is probably near: in doubling steps. */
function gallop(keys: readonly string[], key: string, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < keys.length && (keys[low + step] ?? '') < key) {
    low += step;
    step *= 2;
  }
  return firstFrom(keys, key, low, Math.min(low + step + 1, keys.length));
}

/** The position of the first key not before the given one in a sorted list, by bisection. */
export function firstFrom(keys: readonly string[], key: string, from = 0, to = keys.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
