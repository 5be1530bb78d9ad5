import { EmptyBTree, simpleComparator } from 'sorted-btree';

/** The used part of sorted-btree's BTree: a map in key order, whose copies share unchanged nodes. */
export interface SortedMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  has(key: string): boolean;
  set(key: string, value: V): boolean;
  delete(key: string): boolean;
  /** Copies in constant time; later changes of one are not visible in the other. */
  clone(): SortedMap<V>;
  minKey(): string | undefined;
  maxKey(): string | undefined;
  /** Returns the number of visited pairs. */
  forRange(low: string, high: string, includeHigh: boolean, onFound?: OnFound<V>): number;
}

/** Called for each pair in order until it returns a number to stop at. */
type OnFound<V> = (key: string, value: V) => { break: number } | undefined;

/** The class is a CommonJS default export, which Node, esbuild and Vitest unwrap differently. */
export function emptySortedMap<V>(): SortedMap<V> {
  const map = EmptyBTree.clone();
  map._compare = simpleComparator;
  return map;
}

/** The number of keys from `start` (included) to `end` (excluded), in O(log n). */
export function countRange<V>(map: SortedMap<V>, start: string, end: string): number {
  if (start >= end) return 0;
  // Internals of the library; sorted-map.test.ts checks these assumptions.
  const { _root: root } = map as unknown as { readonly _root: TreeNode };
  return rankOf(root, end) - rankOf(root, start);
}

/** A node of sorted-btree: an inner node has one child per key, the child's largest key, and knows its size. */
interface TreeNode {
  readonly keys: readonly string[];
  readonly children?: readonly TreeNode[];
  size(): number;
}

/** The number of keys before a key. */
function rankOf(root: TreeNode, key: string): number {
  let rank = 0;
  for (let node = root; ; ) {
    const at = firstNotBelow(node.keys, key);
    const child: TreeNode | undefined = node.children?.[at];
    if (child === undefined)
      return node.children === undefined ? rank + at : rank + sizeOf(node.children, at);
    rank += sizeOf(node.children, at);
    node = child;
  }
}

function sizeOf(children: readonly TreeNode[] = [], end: number): number {
  let size = 0;
  for (let at = 0; at < end; at += 1) size += children[at]?.size() ?? 0;
  return size;
}

/** The index of the first sorted key not before the given key; the length if there is none. */
function firstNotBelow(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** At most `length` keys in the range from `start` to `end`. */
export function keysFrom<V>(map: SortedMap<V>, start: string, end: string, length: number): string[] {
  const keys: string[] = [];
  if (start >= end) return keys;
  map.forRange(start, end, false, (key) => {
    keys.push(key);
    return keys.length === length ? { break: length } : undefined;
  });
  return keys;
}
