import type { ViewEntry } from '../entries/view-entry.ts';
import type { Buckets } from '../entries/indexed-values.ts';
import { Interner } from './intern.ts';

/** Reads what a source needs of an entry; undefined for one that cannot be read. Must be pure, and must not throw. */
export type ReadEntry<M, V> = (entry: ViewEntry<M>) => V | undefined;

/** Sources beyond these are forgotten by an entry: those of schemas that were, in views that are gone. */
const sourcesMax = 8;

/** Values that are read from an entry in one go and stay with the entry from then on. */
export abstract class IndexSource<M> {
  readonly #interner = new Interner();

  /** What is known of an entry; undefined where it cannot be read. */
  bucketsOf(entry: ViewEntry<M>): readonly Buckets[] | undefined {
    let known = 0;
    for (let node = entry.indexed; node !== undefined; node = node.next) {
      if (node.source === this) return node.buckets;
      known += 1;
    }
    const buckets = this.read(entry, (text) => this.#interner.share(text));
    const next = known < sourcesMax ? entry.indexed : undefined;
    if (buckets !== undefined) entry.indexed = { source: this, buckets, next };
    return buckets;
  }

  protected abstract read(
    entry: ViewEntry<M>,
    share: (text: string) => string,
  ): readonly Buckets[] | undefined;
}

/** One respect in which entries can be looked up: the value of a field, or that of a label. */
export interface IndexDefinition<M> {
  /** For plans: `spec.color`. */
  readonly name: string;
  /** True where somebody declared it; it never goes for one that was only asked for. */
  readonly isDeclared: boolean;
  /** The buckets of an entry; undefined where it cannot be read. */
  bucketsOf(entry: ViewEntry<M>): Buckets | undefined;
}
