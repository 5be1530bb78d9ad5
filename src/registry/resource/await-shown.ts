import { limits } from '../../meta/index.ts';
import { viewCall } from './view-wait.ts';
import type { Served } from './served.ts';

/**
 * For kinds that every write reads: waits until the view shows a write, so that the next request after its
 * acknowledgement sees it. Undefined for all other kinds.
 */
export function awaitShown({ resource }: Served, revision: number): Promise<void> | undefined {
  if (resource.strategy.readByWrites !== true) return undefined;
  return viewCall(() => resource.view.atLeast(revision, { timeoutMs: limits.freshnessWaitMsMax }));
}
