import type { KeyRange, Revision } from '../../storage/index.ts';
import type { EntryTree } from '../entries/entry-tree.ts';
import { IndexSet } from '../index/index-set.ts';
import type { IndexDefinition } from '../index/index-source.ts';
import type { ValueIndex } from '../index/value-index.ts';
import type { ViewEntry } from '../entries/view-entry.ts';

/** The whole resource as it was at one revision; never changes. */
export class Snapshot<M> {
  readonly revision: Revision;
  readonly #tree: EntryTree<M>;
  readonly #indexes: IndexSet<M>;

  /** @param tree and indexes are the snapshot's own from now on: nobody may write to them. */
  constructor(revision: Revision, tree: EntryTree<M>, indexes: IndexSet<M> = new IndexSet()) {
    this.revision = revision;
    this.#tree = tree;
    this.#indexes = indexes;
  }

  /** How many objects there are. */
  get size(): number {
    return this.#tree.size;
  }

  get(key: string): ViewEntry<M> | undefined {
    return this.#tree.get(key);
  }

  /** The entry under a key in the form that indexes keep. */
  getOrdered(key: string): ViewEntry<M> | undefined {
    return this.#tree.getOrdered(key);
  }

  /** The index of these entries, where the view had it. */
  index(definition: IndexDefinition<M>): ValueIndex<M> | undefined {
    return this.#indexes.get(definition);
  }

  /** The entries of a range in key order. */
  range(range: KeyRange): Iterable<ViewEntry<M>> {
    return this.#tree.range(range);
  }

  /** How many entries a range has. */
  count(range: KeyRange): number {
    return this.#tree.count(range);
  }

  /** Every entry in key order. */
  all(): Iterable<ViewEntry<M>> {
    return this.#tree.all();
  }

  /** Entries and indexes to go on from; the snapshot stays as it is. */
  fork(): { readonly tree: EntryTree<M>; readonly indexes: IndexSet<M> } {
    return { tree: this.#tree.clone(), indexes: this.#indexes.clone() };
  }

  /** The same state without indexes, for those who keep it long. */
  withoutIndexes(): Snapshot<M> {
    return new Snapshot(this.revision, this.#tree);
  }
}
