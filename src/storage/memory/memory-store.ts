import { LogStore } from '../log-store.ts';
import type { ListResult, Store, StoredRecord } from '../store.ts';
import { prefixRange } from '../store.ts';
import { MemoryLog } from './memory-log.ts';

/** A store that can go on in several ways from where it is. */
export interface ForkableStore extends Store {
  /**
   * A store with the same keys, revisions and past. Neither sees what is written to the other from here on, and each is
   * closed by itself. Takes no time and no memory: what they have in common stays in common.
   *
   * @throws {StoreError} `closed`
   */
  fork(): ForkableStore;
}

class MemoryStore extends LogStore implements ForkableStore {
  readonly #log: MemoryLog;

  constructor(log: MemoryLog) {
    super(log, { groupCommits: false });
    this.#log = log;
  }

  fork(): ForkableStore {
    return new MemoryStore(this.#log.fork());
  }
}

/** A store that lives as long as the process: for tests, and for servers that may forget. */
export function createMemoryStore(): ForkableStore {
  return new MemoryStore(new MemoryLog());
}

const pageRecords = 1_000;

/**
 * A store in memory that goes on from where another one is, with all that it holds, without its past.
 *
 * @throws {StoreError} the other's
 */
export async function copyToMemory(store: Store): Promise<ForkableStore> {
  const { end, ...all } = prefixRange('');
  const revision = await store.revision();
  const records: StoredRecord[] = [];
  let { start } = all;
  let page: ListResult;
  do {
    page = await store.list({ start, end }, { revision, limit: pageRecords });
    records.push(...page.records);
    start = `${page.records.at(-1)?.key ?? ''}\0`;
  } while (page.more);
  return new MemoryStore(MemoryLog.holding(records, revision));
}

/** Whether a store can fork, which a store in memory can. */
export function isForkable(store: Store): store is ForkableStore {
  return store instanceof MemoryStore;
}
