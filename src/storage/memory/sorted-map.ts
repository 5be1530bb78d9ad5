import { EmptyBTree, simpleComparator } from 'sorted-btree';

/** What is used of sorted-btree's BTree: a map in the order of its string keys. */
export interface SortedMap<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): boolean;
  delete(key: string): boolean;
  clear(): void;
  /** A copy in constant time: both share all nodes until one of them writes to them. */
  clone(): SortedMap<V>;
  /**
   * Calls back for each pair of a range until it is answered `{ break }`; without a callback only adds up the sizes of
   * the leaves, and returns how many pairs there are.
   */
  forRange(low: string, high: string, includeHigh: boolean, onFound?: OnFound<V>): number;
}

type OnFound<V> = (key: string, value: V) => { break: number } | undefined;

/** The class itself is a CommonJS default export, which Node, esbuild and Vitest each unwrap in their own way. */
export function sortedMap<V>(): SortedMap<V> {
  const map = EmptyBTree.clone();
  map._compare = simpleComparator;
  return map;
}
