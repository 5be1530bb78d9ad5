import { LogStore } from '../log-store.ts';
import type { ListResult, Store, StoredRecord } from '../store.ts';
import { prefixRange } from '../store.ts';
import { MemoryLog } from './memory-log.ts';

/** A store that can be forked. */
export interface ForkableStore extends Store {
  /**
   * A store with the same keys, revisions and history. Later writes to one are not visible in the other, and each is
   * closed separately. It takes constant time and memory: common data is shared.
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

/** A store that lives as long as the process: for tests, and for servers without durable data. */
export function createMemoryStore(): ForkableStore {
  return new MemoryStore(new MemoryLog());
}

const pageRecords = 1_000;

/**
 * A store in memory with the current state of another one, without its history.
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
    page = await store.list({ start, end }, { revision, limit: pageRecords, counted: false });
    records.push(...page.records);
    start = `${page.records.at(-1)?.key ?? ''}\0`;
  } while (page.more);
  return new MemoryStore(MemoryLog.holding(records, revision));
}

/** Whether a store can fork, which a store in memory can. */
export function isForkable(store: Store): store is ForkableStore {
  return store instanceof MemoryStore;
}
