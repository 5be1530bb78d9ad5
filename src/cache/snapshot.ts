import type { KeyRange, Revision } from '../storage/index.ts';
import type { EntryTree } from './entry-tree.ts';
import type { ViewEntry } from './view-entry.ts';

/** The whole resource as it was at one revision; never changes. */
export class Snapshot<M> {
  readonly revision: Revision;
  readonly #tree: EntryTree<M>;

  /** @param tree is the snapshot's own from now on: nobody may write to it. */
  constructor(revision: Revision, tree: EntryTree<M>) {
    this.revision = revision;
    this.#tree = tree;
  }

  /** How many objects there are. */
  get size(): number {
    return this.#tree.size;
  }

  get(key: string): ViewEntry<M> | undefined {
    return this.#tree.get(key);
  }

  /** The entries of a range in key order. */
  range(range: KeyRange): Iterable<ViewEntry<M>> {
    return this.#tree.range(range);
  }

  /** How many entries a range has. */
  count(range: KeyRange): number {
    return this.#tree.count(range);
  }

  /** A tree to go on from; the snapshot stays as it is. */
  fork(): EntryTree<M> {
    return this.#tree.clone();
  }
}
