import { LogStore } from '../log-store.ts';
import type { Store } from '../store.ts';
import { MemoryLog } from './memory-log.ts';

/** A store that lives as long as the process: for tests, and for servers that may forget. */
export function createMemoryStore(): Store {
  return new LogStore(new MemoryLog(), { groupCommits: false });
}
