import { EmptyBTree, simpleComparator } from 'sorted-btree';
import type { KeyRange } from '../storage/index.ts';
import { orderedKey } from './key-order.ts';
import type { ViewEntry } from './view-entry.ts';

/** What is used of sorted-btree's BTree. */
interface SortedMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  set(key: string, value: V): boolean;
  delete(key: string): boolean;
  clone(): SortedMap<V>;
  minKey(): string | undefined;
  maxKey(): string | undefined;
  forRange(low: string, high: string, includeHigh: boolean, onFound?: OnFound<V>): number;
}

/** Called for each pair in order until it answers with a number to stop at. */
type OnFound<V> = (key: string, value: V) => { break: number } | undefined;

/** Entries fetched at a time while walking: few at first, because a walk often ends after a page. */
const walkFrom = 16;
const walkTo = 512;

/** The class itself is a CommonJS default export, which Node, esbuild and Vitest each unwrap in their own way. */
function emptyMap<V>(): SortedMap<V> {
  const map = EmptyBTree.clone();
  map._compare = simpleComparator;
  return map;
}

/**
 * Entries in the order of their keys' bytes: a B+ tree whose copies share all nodes until one side is written to.
 */
export class EntryTree<M> {
  readonly #map: SortedMap<ViewEntry<M>>;

  constructor(map: SortedMap<ViewEntry<M>> = emptyMap()) {
    this.#map = map;
  }

  get size(): number {
    return this.#map.size;
  }

  get(key: string): ViewEntry<M> | undefined {
    return this.#map.get(orderedKey(key));
  }

  put(entry: ViewEntry<M>): void {
    this.#map.set(orderedKey(entry.key), entry);
  }

  delete(key: string): void {
    this.#map.delete(orderedKey(key));
  }

  /** A tree with the same entries, in constant time; later changes of the one are not seen in the other. */
  clone(): EntryTree<M> {
    return new EntryTree(this.#map.clone());
  }

  count(range: KeyRange): number {
    const [start, end] = [orderedKey(range.start), orderedKey(range.end)];
    const [first, last] = [this.#map.minKey(), this.#map.maxKey()];
    if (first === undefined || last === undefined || start >= end) return 0;
    return start <= first && last < end ? this.size : this.#map.forRange(start, end, false);
  }

  /**
   * The entries of a range. They are fetched in growing runs, because the tree's own iterator is ten times slower; a
   * tree that is written to during the walk may show both old and new entries.
   */
  *range(range: KeyRange): Generator<ViewEntry<M>, void, undefined> {
    const end = orderedKey(range.end);
    let start = orderedKey(range.start);
    for (let length = walkFrom; start < end; length = Math.min(length * 2, walkTo)) {
      const entries = this.#run(start, end, length);
      yield* entries;
      const last = entries.at(-1);
      if (last === undefined || entries.length < length) return;
      start = `${orderedKey(last.key)}\0`;
    }
  }

  /** At most so many entries of a range. */
  #run(start: string, end: string, length: number): ViewEntry<M>[] {
    const entries: ViewEntry<M>[] = [];
    this.#map.forRange(start, end, false, (_, entry) => {
      entries.push(entry);
      return entries.length === length ? { break: length } : undefined;
    });
    return entries;
  }
}
