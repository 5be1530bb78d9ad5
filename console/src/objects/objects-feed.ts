import { signal } from '@preact/signals';
import { isAborted } from '../api/api-error.ts';
import { follow, type Liveness, type WatchEvent } from '../api/follow.ts';
import { getJson } from '../api/request.ts';
import { signedIn } from '../app/session.ts';
import { type ObjectsQuery, queryPath } from './objects-query.ts';
import { type Column, keyOf, type Row, rowOf, type Table } from './row.ts';
import { type RowEvent, RowStore } from './row-store.ts';

const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const pageRows = 500;
/** So many rows can be sorted whenever one of them changes, without a page that stands still. */
export const sortedRowsMax = 20_000;

/** What a table shows at a moment. */
export interface ObjectsView {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Undefined where the server does not count. */
  readonly total: number | undefined;
  readonly isComplete: boolean;
}

/** The objects that a query asks for, page by page and live. */
export class ObjectsFeed {
  readonly view = signal<ObjectsView>({ columns: [], rows: [], total: undefined, isComplete: false });
  readonly liveness = signal<Liveness>({ state: 'loading' });
  readonly isLoadingAll = signal(false);
  readonly #query: ObjectsQuery;
  readonly #signal: AbortSignal;
  readonly #store = new RowStore();
  #columns: readonly Column[] = [];
  #continue = '';
  #loading: Promise<void> | undefined;
  #restart = new AbortController();

  constructor(query: ObjectsQuery, signal: AbortSignal) {
    this.#query = query;
    this.#signal = signal;
  }

  /** Runs until the feed's signal is aborted. */
  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      this.#restart = new AbortController();
      const restart = this.#restart.signal;
      await follow<Table>({
        path: queryPath(this.#query),
        accept,
        list: (abort) => this.#list(abort),
        onEvents: (events) => this.#apply(events),
        onLiveness: (liveness) => {
          this.liveness.value = liveness;
        },
        revisionOf: revisionOf,
        signedIn,
        signal: AbortSignal.any([this.#signal, restart]),
      });
      if (!restart.aborted) return;
    }
  }

  /** Loads the next page, if there is one, unless that is under way. */
  loadMore(): Promise<void> {
    if (this.#continue === '') return Promise.resolve();
    this.#loading ??= this.#loadPage(this.#continue).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Loads pages up to the number of sortable rows, until an error occurs or the page is left. */
  async loadAll(): Promise<void> {
    const restart = this.#restart.signal;
    this.isLoadingAll.value = true;
    while (this.#mayLoad(restart)) await this.loadMore();
    this.isLoadingAll.value = false;
  }

  #mayLoad(restart: AbortSignal): boolean {
    const { isComplete, rows } = this.view.value;
    return !isComplete && rows.length < sortedRowsMax && !this.#signal.aborted && !restart.aborted;
  }

  async #loadPage(token: string): Promise<void> {
    try {
      const page = await this.#page(token, this.#signal);
      if (this.#continue === token) this.#add(page);
    } catch (error) {
      // The token has expired, or the server is gone: the list starts over.
      if (!isAborted(error)) this.#restart.abort();
    }
  }

  async #list(abort: AbortSignal): Promise<string> {
    const table = await this.#page('', abort);
    this.#columns = table.columnDefinitions ?? [];
    this.#store.reset([], { isComplete: true, remaining: 0 });
    this.#add(table);
    return table.metadata?.resourceVersion ?? '';
  }

  #page(token: string, abort: AbortSignal): Promise<Table> {
    const path = queryPath(this.#query, { limit: String(pageRows), continue: token });
    return getJson<Table>(path, { accept, signal: abort });
  }

  #add({ metadata = {}, rows = [] }: Table): void {
    this.#continue = metadata.continue ?? '';
    const page = rows.map((row) => rowOf(row, { ms: 0, isNew: false }));
    this.#store.append(page, { isComplete: this.#continue === '', remaining: metadata.remainingItemCount });
    this.#show();
  }

  #apply(events: readonly WatchEvent<Table>[]): void {
    const ms = Date.now();
    const rowEvents = events.flatMap(({ type, object: { rows = [] } }): RowEvent[] =>
      rows.map((row) => ({
        key: keyOf(row.object.metadata),
        row: type === 'DELETED' ? undefined : rowOf(row, { ms, isNew: type === 'ADDED' }),
      })),
    );
    if (!this.#store.apply(rowEvents)) this.#restart.abort();
    this.#show();
  }

  #show(): void {
    const { rows, total, isComplete } = this.#store;
    this.view.value = { columns: this.#columns, rows, total, isComplete };
  }
}

function revisionOf({ metadata, rows }: Table): string | undefined {
  return metadata?.resourceVersion || rows?.[0]?.object?.metadata.resourceVersion;
}
