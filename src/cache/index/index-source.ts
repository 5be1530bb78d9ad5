import type { ViewEntry } from '../entries/view-entry.ts';
import type { Buckets } from '../entries/indexed-values.ts';
import { Interner } from './intern.ts';

/** Reads the values of a source from an entry; undefined for an unreadable entry. Must be pure, and must not throw. */
export type ReadEntry<M, V> = (entry: ViewEntry<M>) => V | undefined;

/** The maximum number of sources per entry; older ones, of replaced schemas and closed views, are dropped. */
const sourcesMax = 8;

/** Values that are read from an entry together and kept with the entry. */
export abstract class IndexSource<M> {
  readonly #interner = new Interner();

  /** The values of an entry; undefined if it is unreadable. */
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

/** An index definition: the value of a field, or that of a label. */
export interface IndexDefinition<M> {
  /** For plans: `spec.color`. */
  readonly name: string;
  /** True if it was declared; a declared index is never evicted. */
  readonly isDeclared: boolean;
  /** The buckets of an entry; undefined if it is unreadable. */
  bucketsOf(entry: ViewEntry<M>): Buckets | undefined;
}
