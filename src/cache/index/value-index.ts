import { emptySortedMap, type SortedMap } from '../entries/sorted-map.ts';
import type { ViewEntry } from '../entries/view-entry.ts';
import { eachBucket, sameBuckets } from '../entries/indexed-values.ts';
import type { IndexDefinition } from './index-source.ts';
import type { KeyCursor } from './key-cursor.ts';
import { countKeys, cursorOver, type Posting, withKey, withoutKey } from './posting.ts';

/** Keys from `start` (included) to `end` (excluded), in the form of {@link orderedKey}. */
export interface OrderedRange {
  readonly start: string;
  readonly end: string;
}

/** The size of an index. */
export interface IndexSize {
  /** One for each entry and value. */
  readonly entries: number;
  /** Different ones. */
  readonly values: number;
  /** The number of changes since it was built. */
  readonly changes: number;
}

interface IndexCounts {
  /** Entries that were unreadable. */
  unreadable: number;
  entries: number;
  changes: number;
}

/**
 * Maps each value to the keys of its entries, in key order.
 *
 * It keeps keys instead of entries, so that a write that does not change the value does not touch it.
 */
export class ValueIndex<M> {
  readonly definition: IndexDefinition<M>;
  readonly #postings: SortedMap<Posting>;
  /** A writer owns its trees; after a copy, neither side owns them. */
  #owner: object = {};
  #counts: IndexCounts;

  constructor(
    definition: IndexDefinition<M>,
    postings: SortedMap<Posting> = emptySortedMap(),
    counts: IndexCounts = { unreadable: 0, entries: 0, changes: 0 },
  ) {
    this.definition = definition;
    this.#postings = postings;
    this.#counts = { ...counts };
  }

  /** False while there are unreadable entries: a search in this index would not find them. */
  get isComplete(): boolean {
    return this.#counts.unreadable === 0;
  }

  /** The number of distinct values. */
  get distinct(): number {
    return this.#postings.size;
  }

  /** What it costs. */
  get size(): IndexSize {
    const { entries, changes } = this.#counts;
    return { entries, changes, values: this.distinct };
  }

  /** A copy in constant time; later changes of one are not visible in the other. */
  clone(): ValueIndex<M> {
    this.#owner = {};
    return new ValueIndex(this.definition, this.#postings.clone(), this.#counts);
  }

  /** Applies that an entry was replaced, created or deleted. The key is in the form of {@link orderedKey}. */
  change(key: string, previous: ViewEntry<M> | undefined, entry: ViewEntry<M> | undefined): void {
    const old = previous === undefined ? [] : this.definition.bucketsOf(previous);
    const now = entry === undefined ? [] : this.definition.bucketsOf(entry);
    if (old === undefined) this.#counts.unreadable -= 1;
    if (now === undefined) this.#counts.unreadable += 1;
    if (sameBuckets(old, now)) return;
    this.#counts.changes += 1;
    if (old !== undefined) eachBucket(old, (bucket) => this.#remove(bucket, key));
    if (now !== undefined) eachBucket(now, (bucket) => this.#add(bucket, key));
  }

  /** The number of entries of a range with a value. */
  count(bucket: string, { start, end }: OrderedRange): number {
    const posting = this.#postings.get(bucket);
    return posting === undefined ? 0 : countKeys(posting, start, end);
  }

  /** The entries of a range with a value. */
  cursor(bucket: string, { start, end }: OrderedRange): KeyCursor | undefined {
    const posting = this.#postings.get(bucket);
    return posting === undefined ? undefined : cursorOver(posting, start, end);
  }

  /** All values, in text order. */
  buckets(): readonly string[] {
    const buckets: string[] = [];
    const [first, last] = [this.#postings.minKey(), this.#postings.maxKey()];
    if (first === undefined || last === undefined) return buckets;
    this.#postings.forRange(first, last, true, (bucket) => {
      buckets.push(bucket);
      return undefined;
    });
    return buckets;
  }

  #add(bucket: string, key: string): void {
    const posting = this.#postings.get(bucket);
    this.#counts.entries += 1;
    this.#put(bucket, posting, withKey(posting, key, this.#owner));
  }

  #remove(bucket: string, key: string): void {
    const posting = this.#postings.get(bucket);
    if (posting === undefined) return;
    this.#counts.entries -= 1;
    const rest = withoutKey(posting, key, this.#owner);
    if (rest === undefined) this.#postings.delete(bucket);
    else this.#put(bucket, posting, rest);
  }

  #put(bucket: string, before: Posting | undefined, after: Posting): void {
    if (after !== before) this.#postings.set(bucket, after);
  }
}
