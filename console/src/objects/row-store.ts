import type { Row } from './row.ts';

/** What happened to a row; `row` is undefined where it is gone. */
export interface RowEvent {
  readonly key: string;
  readonly row: Row | undefined;
}

/** What follows a page. */
interface PageRest {
  readonly isComplete: boolean;
  /** Undefined where the server does not say. */
  readonly remaining: number | undefined;
}

/** What became of a row beyond the pages that are loaded. */
interface BeyondRow {
  readonly row: Row | undefined;
  /** Whether it was there at the moment of the pages. */
  readonly wasThere: boolean;
}

/** Changes of rows that are not loaded are kept, so that a page of the past does not undo them. */
const beyondMax = 20_000;

/**
 * The rows that are loaded, in the order of the server. Pages are of the moment of the first one; events are of now. What
 * an event says of a row beyond the pages that are loaded is kept until its page comes.
 */
export class RowStore {
  #rows: Row[] = [];
  /** The last key of the last page; undefined once all pages are loaded. */
  #upTo: string | undefined;
  readonly #beyond = new Map<string, BeyondRow>();
  /** Objects beyond the loaded pages, as far as the server said. */
  #remaining: number | undefined = 0;

  get rows(): readonly Row[] {
    return this.#rows;
  }

  get isComplete(): boolean {
    return this.#upTo === undefined;
  }

  /** How many objects there are; undefined where the server does not count them. */
  get total(): number | undefined {
    return this.#remaining === undefined ? undefined : this.#rows.length + this.#remaining;
  }

  /** Starts over with a first page. */
  reset(page: readonly Row[], rest: PageRest): void {
    this.#rows = [];
    this.#beyond.clear();
    this.append(page, rest);
  }

  /** Adds the next page, as it was at the moment of the first one, and what has happened to it since. */
  append(page: readonly Row[], { isComplete, remaining }: PageRest): void {
    this.#rows = [...this.#rows, ...page];
    this.#upTo = isComplete ? undefined : page.at(-1)?.key;
    this.#remaining = isComplete ? 0 : remaining;
    const known: RowEvent[] = [];
    for (const [key, beyond] of [...this.#beyond]) {
      if (this.#isLoaded(key)) {
        this.#beyond.delete(key);
        known.push({ key, row: beyond.row });
      } else if (this.#remaining !== undefined) this.#remaining += changeOf(beyond);
    }
    this.#put(known);
  }

  /** @returns false if too much has changed beyond the loaded rows: then the list must be reloaded */
  apply(events: readonly RowEvent[]): boolean {
    this.#put(events.filter(({ key }) => this.#isLoaded(key)));
    for (const event of events) if (!this.#isLoaded(event.key)) this.#keep(event);
    return this.#beyond.size <= beyondMax;
  }

  #keep({ key, row }: RowEvent): void {
    const before = this.#beyond.get(key);
    // The first event of a row says whether the pages of the past have it.
    const now = { row, wasThere: before?.wasThere ?? row?.isNew !== true };
    const change = changeOf(now) - (before === undefined ? 0 : changeOf(before));
    if (this.#remaining !== undefined) this.#remaining += change;
    this.#beyond.set(key, now);
  }

  #isLoaded(key: string): boolean {
    return this.#upTo === undefined || key <= this.#upTo;
  }

  /** All at once: a copy of 100,000 rows for each of a thousand events would stop the page. */
  #put(events: readonly RowEvent[]): void {
    if (events.length === 0) return;
    const next = [...this.#rows];
    for (const { key, row } of events) {
      const at = placeOf(next, key);
      const isThere = next[at]?.key === key;
      if (row === undefined) next.splice(at, isThere ? 1 : 0);
      else next.splice(at, isThere ? 1 : 0, row);
    }
    this.#rows = next;
  }
}

/** How much it changes the number of objects that the server gave with a page. */
function changeOf({ row, wasThere }: BeyondRow): number {
  return (row === undefined ? 0 : 1) - (wasThere ? 1 : 0);
}

function placeOf(rows: readonly Row[], key: string): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.key ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
