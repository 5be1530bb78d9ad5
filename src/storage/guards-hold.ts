import type { Log } from './log.ts';
import type { Commit } from './store.ts';

/** Whether the keys that a commit is guarded by are as they were seen. */
export function guardsHold({ guards = [] }: Commit, log: Pick<Log, 'get'>): boolean {
  return guards.every(({ key, modRevision }) => (log.get(key)?.modRevision ?? 0) === modRevision);
}
