import type { Plan, ViewEntry } from '../../cache/index.ts';
import { encodeContinueToken } from '../../meta/index.ts';
import type { KeyRange } from '../../storage/index.ts';
import type { Forms } from '../representation/representation.ts';
import { type Rendered, renderEntry } from '../representation/rendered-object.ts';
import type { Selection } from '../selection/selection.ts';
import type { Moment } from '../selection/selection-plan.ts';
import type { Target } from '../resource/target.ts';

/** One page of objects, all of one moment. */
export interface ListPage {
  readonly items: readonly Rendered[];
  /** The moment: a watch from here on misses nothing. */
  readonly revision: number;
  /** Where the next page starts; empty on the last one. */
  readonly continue: string;
  /** How many objects come after this page; unknown where a selector is given. */
  readonly remainingItemCount: number | undefined;
  /** How they were found. */
  readonly plan: Pick<Plan<Forms>, 'kind' | 'text'>;
}

export interface PageOptions {
  readonly target: Target;
  readonly matches: Selection['matches'];
  readonly moment: Moment;
  readonly plan: Plan<Forms>;
  readonly range: KeyRange;
  /** What a continue token is relative to. */
  readonly prefix: string;
  /** How many objects a page has at most; 0 for all. */
  readonly limit: number;
}

/** Fills a page with the entries of a moment, in the order of their keys. */
export class PageBuilder {
  readonly #options: PageOptions;
  readonly #items: Rendered[] = [];
  #last = '';

  constructor(options: PageOptions) {
    this.#options = options;
  }

  /** No further entry will be looked into. */
  get isFull(): boolean {
    const { limit } = this.#options;
    return limit > 0 && this.#items.length === limit;
  }

  /** Puts an entry onto the page if it is selected. Not for pages that are full. */
  take(entry: ViewEntry<Forms>): void {
    const { target, matches } = this.#options;
    this.#last = entry.key;
    if (matches === undefined || matches(entry)) this.#items.push(renderEntry(entry, target));
  }

  /** The page, where entries come after it. */
  withMore(): ListPage {
    const { matches, moment, plan, range, prefix } = this.#options;
    const rest = { start: `${this.#last}\0`, end: range.end };
    const token = { revision: moment.revision, startKey: rest.start.slice(prefix.length) };
    return {
      items: this.#items,
      plan,
      revision: moment.revision,
      continue: encodeContinueToken(token),
      remainingItemCount: matches === undefined ? moment.count(rest) : undefined,
    };
  }

  /** The page, where it is the last one. */
  asLast(): ListPage {
    const { moment, plan } = this.#options;
    const { revision } = moment;
    return { items: this.#items, plan, revision, continue: '', remainingItemCount: undefined };
  }
}
