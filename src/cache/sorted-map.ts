import { EmptyBTree, simpleComparator } from 'sorted-btree';

/** What is used of sorted-btree's BTree: a map in the order of its keys, whose copies share what neither changed. */
export interface SortedMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  has(key: string): boolean;
  set(key: string, value: V): boolean;
  delete(key: string): boolean;
  /** In constant time; later changes of the one are not seen in the other. */
  clone(): SortedMap<V>;
  minKey(): string | undefined;
  maxKey(): string | undefined;
  /** Gives how many pairs were visited. */
  forRange(low: string, high: string, includeHigh: boolean, onFound?: OnFound<V>): number;
}

/** Called for each pair in order until it answers with a number to stop at. */
type OnFound<V> = (key: string, value: V) => { break: number } | undefined;

/** The class itself is a CommonJS default export, which Node, esbuild and Vitest each unwrap in their own way. */
export function emptySortedMap<V>(): SortedMap<V> {
  const map = EmptyBTree.clone();
  map._compare = simpleComparator;
  return map;
}

/** How many keys there are from `start` on and before `end`. */
export function countRange<V>(map: SortedMap<V>, start: string, end: string): number {
  const [first, last] = [map.minKey(), map.maxKey()];
  if (first === undefined || last === undefined || start >= end) return 0;
  return start <= first && last < end ? map.size : map.forRange(start, end, false);
}

/** At most so many keys from `start` on and before `end`. */
export function keysFrom<V>(map: SortedMap<V>, start: string, end: string, length: number): string[] {
  const keys: string[] = [];
  if (start >= end) return keys;
  map.forRange(start, end, false, (key) => {
    keys.push(key);
    return keys.length === length ? { break: length } : undefined;
  });
  return keys;
}
