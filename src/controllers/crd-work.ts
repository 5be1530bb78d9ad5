import { isConflict, isNotFound } from './client.ts';
import type { ControllerParts } from './controller-parts.ts';
import type { CrdChange } from './crd-feed.ts';
import type { RunningController } from './idle-state.ts';
import { WorkQueue } from './work-queue.ts';

/** What a controller does about CRDs, one name at a time. */
interface CrdWorker {
  /** Decides which names need work after a change. */
  take(change: CrdChange): void;
  work(name: string): Promise<void>;
}

/**
 * Runs a controller of CRDs. A CRD that changed or was deleted meanwhile is not an error: its change queues it again.
 *
 * @param make gets a function that queues a name
 */
export function runCrdWorker(
  parts: ControllerParts,
  make: (add: (name: string) => void) => CrdWorker,
  options: { readonly workersMax?: number } = {},
): RunningController {
  const queue = new WorkQueue({
    ...options,
    work: (name) => worker.work(name),
    onTrouble: (error) => {
      if (!isConflict(error) && !isNotFound(error)) parts.onTrouble(error);
    },
  });
  const worker = make((name) => queue.add(name));
  const following = parts.crds.follow((change) => worker.take(change));
  return {
    done: following.done.then(() => queue.close()),
    idleState: () => (queue.idle ? following.rest() : undefined),
  };
}
