import type { KeyRange } from '../../storage/index.ts';
import { orderedKey } from './key-order.ts';
import { countRange, emptySortedMap, type SortedMap } from './sorted-map.ts';
import type { ViewEntry } from './view-entry.ts';

/** The number of entries fetched at a time: few at first, because an iteration often ends after a page. */
const walkFrom = 16;
const walkTo = 512;

/** Entries in key order (bytewise): a B+ tree whose copies share all nodes until one side is written to. */
export class EntryTree<M> {
  readonly #map: SortedMap<ViewEntry<M>>;

  constructor(map: SortedMap<ViewEntry<M>> = emptySortedMap()) {
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

  /** A copy in constant time; later changes of one are not visible in the other. */
  clone(): EntryTree<M> {
    return new EntryTree(this.#map.clone());
  }

  /** The entry of a key in the form of {@link orderedKey}. */
  getOrdered(key: string): ViewEntry<M> | undefined {
    return this.#map.get(key);
  }

  count(range: KeyRange): number {
    return countRange(this.#map, orderedKey(range.start), orderedKey(range.end));
  }

  /**
   * The entries of a range. They are fetched in growing runs, because the tree's own iterator is ten times slower. If
   * the tree is written to during the iteration, old and new entries may be mixed.
   */
  *range(range: KeyRange): Generator<ViewEntry<M>, void, undefined> {
    yield* this.#walk(orderedKey(range.start), orderedKey(range.end));
  }

  /** All entries, as {@link range} returns them. */
  *all(): Generator<ViewEntry<M>, void, undefined> {
    const [first, last] = [this.#map.minKey(), this.#map.maxKey()];
    if (first !== undefined && last !== undefined) yield* this.#walk(first, `${last}\0`);
  }

  *#walk(from: string, end: string): Generator<ViewEntry<M>, void, undefined> {
    let start = from;
    for (let length = walkFrom; start < end; length = Math.min(length * 2, walkTo)) {
      const entries = this.#run(start, end, length);
      yield* entries;
      const last = entries.at(-1);
      if (last === undefined || entries.length < length) return;
      start = `${orderedKey(last.key)}\0`;
    }
  }

  /** Up to this many entries of a range. */
  #run(start: string, end: string, length: number): ViewEntry<M>[] {
    const entries: ViewEntry<M>[] = [];
    this.#map.forRange(start, end, false, (_, entry) => {
      entries.push(entry);
      return entries.length === length ? { break: length } : undefined;
    });
    return entries;
  }
}
