import type { Plan, ViewEntry } from '../../cache/index.ts';
import { encodeContinueToken } from '../../meta/index.ts';
import type { KeyRange } from '../../storage/index.ts';
import { needsWebhook } from '../representation/prepare-representations.ts';
import type { Representations } from '../representation/representation.ts';
import { type ResponseObject, renderEntry } from '../representation/response-object.ts';
import type { Selection } from '../selection/selection.ts';
import type { ObjectSnapshot } from '../selection/selection-plan.ts';
import type { Target } from '../resource/target.ts';
import { PageItems } from './page-items.ts';

/** One page of objects at one revision. */
export interface ListPage {
  readonly items: PageItems;
  /** A watch from this revision misses no event. */
  readonly revision: number;
  /** The start of the next page; empty on the last one. */
  readonly continue: string;
  /** The number of objects after this page; unknown with a selector. */
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
  /** The base of a continue token. */
  readonly prefix: string;
  /** The maximum number of objects on a page; 0 for all. */
  readonly limit: number;
}

/** Fills a page with the entries of a snapshot, in key order. */
export class PageBuilder {
  readonly #options: PageOptions;
  /** The entries of the page; empty if the page is the whole range, which the snapshot returns again. */
  readonly #entries: ViewEntry<Representations>[] = [];
  /** Rendered at once if a webhook converts: a later CRD change could drop the results. */
  readonly #converted: ResponseObject[] = [];
  readonly #isWholeRange: boolean;
  readonly #isConverted: boolean;
  #length = 0;
  #byteLength = 0;
  #last = '';

  constructor(options: PageOptions) {
    this.#options = options;
    this.#isConverted = needsWebhook(options.target);
    this.#isWholeRange = options.matches === undefined && options.limit === 0;
  }

  /** True if no further entries are needed. */
  get isFull(): boolean {
    const { limit } = this.#options;
    return limit > 0 && this.#length === limit;
  }

  /** Adds an entry to the page if it is selected. Not for pages that are full. */
  take(entry: ViewEntry<Representations>): void {
    const { target, matches } = this.#options;
    this.#last = entry.key;
    if (matches !== undefined && !matches(entry)) return;
    const object = renderEntry(entry, target);
    this.#length += 1;
    this.#byteLength += object.length();
    if (this.#isConverted) this.#converted.push(object);
    else if (!this.#isWholeRange) this.#entries.push(entry);
  }

  /** The page, if more entries follow. */
  withMore(): ListPage {
    const { matches, snapshot, plan, range, prefix } = this.#options;
    const rest = { start: `${this.#last}\0`, end: range.end };
    const token = { revision: snapshot.revision, startKey: rest.start.slice(prefix.length) };
    return {
      items: this.#items(),
      plan,
      revision: snapshot.revision,
      continue: encodeContinueToken(token),
      remainingItemCount: matches === undefined ? snapshot.count(rest) : undefined,
    };
  }

  /** The page, if it is the last one. */
  asLast(): ListPage {
    const { snapshot, plan } = this.#options;
    const { revision } = snapshot;
    return { items: this.#items(), plan, revision, continue: '', remainingItemCount: undefined };
  }

  #items(): PageItems {
    if (this.#isConverted) return PageItems.of(this.#converted, this.#byteLength);
    const { snapshot, range, target: served } = this.#options;
    const entries = this.#isWholeRange
      ? { [Symbol.iterator]: () => snapshot.range(range)[Symbol.iterator]() }
      : this.#entries;
    return PageItems.rendered(entries, { length: this.#length, byteLength: this.#byteLength, served });
  }
}
