import type { Log } from './log.ts';
import type { Commit } from './store.ts';

/** Whether every precondition of a commit holds. */
export function preconditionsHold({ preconditions = [] }: Commit, log: Pick<Log, 'get'>): boolean {
  return preconditions.every(({ key, modRevision }) => (log.get(key)?.modRevision ?? 0) === modRevision);
}
