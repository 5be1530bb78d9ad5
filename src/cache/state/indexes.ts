import type { ViewState } from './view-state.ts';
import { buildIndexes } from './build-indexes.ts';
import type { IndexDefinition } from '../index/index-source.ts';

interface IndexesOptions {
  /** A smaller view is scanned: that costs less than an index. */
  readonly indexedEntriesMin: number;
}

/** The maximum number of indexes that one request may build; further conditions are checked entry by entry. */
const madeAtOnceMax = 8;

/** The indexes of a view: each is built on first use, once for all concurrent callers. */
export class Indexes<M> {
  readonly #state: ViewState<M>;
  readonly #options: IndexesOptions;
  readonly #making = new Map<IndexDefinition<M>, Promise<void>>();

  constructor(state: ViewState<M>, options: IndexesOptions) {
    this.#state = state;
    this.#options = options;
  }

  /**
   * Resolves when the indexes are built, at once if they exist. Indexes that cannot be built, or are not worthwhile,
   * are left out: queries then scan.
   */
  async prepare(definitions: readonly IndexDefinition<M>[]): Promise<void> {
    const missing = definitions.filter((definition) => !this.#state.hasIndex(definition));
    for (const definition of definitions) this.#state.touchIndex(definition);
    if (missing.length === 0 || this.#state.size < this.#options.indexedEntriesMin) return;
    const wanted = missing.slice(0, madeAtOnceMax);
    const fresh = wanted.filter((definition) => !this.#making.has(definition));
    if (fresh.length > 0) this.#make(fresh);
    await Promise.all(wanted.map((definition) => this.#making.get(definition)));
  }

  /** Drops all of them. */
  drop(): void {
    this.#state.dropIndexes();
  }

  #make(definitions: readonly IndexDefinition<M>[]): void {
    const made = buildIndexes(this.#state, definitions).finally(() => {
      for (const definition of definitions) this.#making.delete(definition);
    });
    for (const definition of definitions) this.#making.set(definition, made);
  }
}
