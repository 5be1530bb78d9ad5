import type { Change } from '../entries/change.ts';
import { orderedKey } from '../entries/key-order.ts';
import type { IndexDefinition } from './index-source.ts';
import type { IndexSize, ValueIndex } from './value-index.ts';

/** The indexes of one state of a resource. */
export class IndexSet<M> {
  /** The least recently used ones come first. */
  readonly #indexes: Map<IndexDefinition<M>, ValueIndex<M>>;

  constructor(indexes: Map<IndexDefinition<M>, ValueIndex<M>> = new Map()) {
    this.#indexes = indexes;
  }

  get size(): number {
    return this.#indexes.size;
  }

  has(definition: IndexDefinition<M>): boolean {
    return this.#indexes.has(definition);
  }

  get(definition: IndexDefinition<M>): ValueIndex<M> | undefined {
    return this.#indexes.get(definition);
  }

  /** Marks an index as used, so that it is evicted last. */
  touch(definition: IndexDefinition<M>): void {
    const index = this.#indexes.get(definition);
    if (index === undefined) return;
    this.#indexes.delete(definition);
    this.#indexes.set(definition, index);
  }

  /** Adds an index; above the given number, the least recently used undeclared ones are evicted. */
  put(index: ValueIndex<M>, undeclaredMax: number): void {
    this.#indexes.set(index.definition, index);
    const undeclared = [...this.#indexes.keys()].filter(({ isDeclared }) => !isDeclared);
    for (const oldest of undeclared.slice(0, -undeclaredMax)) this.#indexes.delete(oldest);
  }

  /** The size of each index, by its name. */
  sizes(): (IndexSize & { readonly field: string })[] {
    return [...this.#indexes.values()].map((index) => ({ field: index.definition.name, ...index.size }));
  }

  clear(): void {
    this.#indexes.clear();
  }

  /** A copy, in constant time for each index. */
  clone(): IndexSet<M> {
    const copies = new Map<IndexDefinition<M>, ValueIndex<M>>();
    for (const [definition, index] of this.#indexes) copies.set(definition, index.clone());
    return new IndexSet(copies);
  }

  /** Applies a change. */
  apply({ key, previous, entry }: Change<M>): void {
    if (this.#indexes.size === 0) return;
    const ordered = orderedKey(key);
    for (const index of this.#indexes.values()) index.change(ordered, previous, entry);
  }

  /** Undoes a change. */
  undo({ key, previous, entry }: Change<M>): void {
    if (this.#indexes.size === 0) return;
    const ordered = orderedKey(key);
    for (const index of this.#indexes.values()) index.change(ordered, entry, previous);
  }
}
