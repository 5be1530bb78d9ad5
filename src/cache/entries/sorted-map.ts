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

/** How many keys there are from `start` on and before `end`, in O(log n). */
export function countRange<V>(map: SortedMap<V>, start: string, end: string): number {
  if (start >= end) return 0;
  // Not part of the library's interface; sorted-map.test.ts holds what is assumed about it.
  const { _root: root } = map as unknown as { readonly _root: TreeNode };
  return rankOf(root, end) - rankOf(root, start);
}

/** A node of sorted-btree: an inner one has a child for each key, whose last key that is, and knows its size. */
interface TreeNode {
  readonly keys: readonly string[];
  readonly children?: readonly TreeNode[];
  size(): number;
}

/** How many keys come before a key. */
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

/** The index of the first sorted key that is not before the given key; their number if there is none. */
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
