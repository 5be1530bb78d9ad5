import type { Plan, ViewEntry } from '../../cache/index.ts';
import { encodeContinueToken } from '../../meta/index.ts';
import type { KeyRange } from '../../storage/index.ts';
import type { Representations } from '../representation/representation.ts';
import { type ResponseObject, renderEntry } from '../representation/response-object.ts';
import type { Selection } from '../selection/selection.ts';
import type { ObjectSnapshot } from '../selection/selection-plan.ts';
import type { Target } from '../resource/target.ts';

/** One page of objects, all of one revision. */
export interface ListPage {
  readonly items: readonly ResponseObject[];
  /** A watch from this revision on misses nothing. */
  readonly revision: number;
  /** Where the next page starts; empty on the last one. */
  readonly continue: string;
  /** How many objects come after this page; unknown where a selector is given. */
  readonly remainingItemCount: number | undefined;
  /** How they were found. */
  readonly plan: Pick<Plan<Representations>, 'kind' | 'text'>;
}

interface PageOptions {
  readonly target: Target;
  readonly matches: Selection['matches'];
  readonly snapshot: ObjectSnapshot;
  readonly plan: Plan<Representations>;
  readonly range: KeyRange;
  /** What a continue token is relative to. */
  readonly prefix: string;
  /** How many objects a page has at most; 0 for all. */
  readonly limit: number;
}

/** Fills a page with the entries of a snapshot, in the order of their keys. */
export class PageBuilder {
  readonly #options: PageOptions;
  readonly #items: ResponseObject[] = [];
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
  take(entry: ViewEntry<Representations>): void {
    const { target, matches } = this.#options;
    this.#last = entry.key;
    if (matches === undefined || matches(entry)) this.#items.push(renderEntry(entry, target));
  }

  /** The page, where entries come after it. */
  withMore(): ListPage {
    const { matches, snapshot, plan, range, prefix } = this.#options;
    const rest = { start: `${this.#last}\0`, end: range.end };
    const token = { revision: snapshot.revision, startKey: rest.start.slice(prefix.length) };
    return {
      items: this.#items,
      plan,
      revision: snapshot.revision,
      continue: encodeContinueToken(token),
      remainingItemCount: matches === undefined ? snapshot.count(rest) : undefined,
    };
  }

  /** The page, where it is the last one. */
  asLast(): ListPage {
    const { snapshot, plan } = this.#options;
    const { revision } = snapshot;
    return { items: this.#items, plan, revision, continue: '', remainingItemCount: undefined };
  }
}
