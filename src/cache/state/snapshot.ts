import type { KeyRange, Revision } from '../../storage/index.ts';
import type { EntryTree } from '../entries/entry-tree.ts';
import { IndexSet } from '../index/index-set.ts';
import type { IndexDefinition } from '../index/index-source.ts';
import type { ValueIndex } from '../index/value-index.ts';
import type { ViewEntry } from '../entries/view-entry.ts';

/** The whole resource at one revision; immutable. */
export class Snapshot<M> {
  readonly revision: Revision;
  readonly #tree: EntryTree<M>;
  readonly #indexes: IndexSet<M>;

  /** @param tree and indexes are owned by the snapshot from now on: they must not be written to. */
  constructor(revision: Revision, tree: EntryTree<M>, indexes: IndexSet<M> = new IndexSet()) {
    this.revision = revision;
    this.#tree = tree;
    this.#indexes = indexes;
  }

  /** The number of objects. */
  get size(): number {
    return this.#tree.size;
  }

  get(key: string): ViewEntry<M> | undefined {
    return this.#tree.get(key);
  }

  /** The entry of a key in the form of indexes. */
  getOrdered(key: string): ViewEntry<M> | undefined {
    return this.#tree.getOrdered(key);
  }

  /** The index of these entries, if the view had it. */
  index(definition: IndexDefinition<M>): ValueIndex<M> | undefined {
    return this.#indexes.get(definition);
  }

  /** The entries of a range in key order. */
  range(range: KeyRange): Iterable<ViewEntry<M>> {
    return this.#tree.range(range);
  }

  /** The number of entries of a range. */
  count(range: KeyRange): number {
    return this.#tree.count(range);
  }

  /** Every entry in key order. */
  all(): Iterable<ViewEntry<M>> {
    return this.#tree.all();
  }

  /** Copies of the entries and indexes, to continue from; the snapshot does not change. */
  fork(): { readonly tree: EntryTree<M>; readonly indexes: IndexSet<M> } {
    return { tree: this.#tree.clone(), indexes: this.#indexes.clone() };
  }

  /** The same state without indexes, for callers that keep it long. */
  withoutIndexes(): Snapshot<M> {
    return new Snapshot(this.revision, this.#tree);
  }
}
