import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../meta/index.ts';
import type { Registry, Target } from '../registry/index.ts';
import { controllerContext } from './client.ts';

/** One change of an object, as a controller sees it. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

/** How long to wait before a watch that broke is opened again. */
const reopenMs = 100;

/**
 * Follows a collection until the signal ends it: its state first, then every change; from the state again whenever
 * the watch ends. Deletions that happen between two watches are not told: whoever follows must be able to live with
 * that, by looking at the present state when it works.
 */
export async function follow(
  registry: Registry,
  findTarget: () => Promise<Target>,
  options: {
    readonly signal: AbortSignal;
    readonly onChange: (change: Change) => void;
    readonly onTrouble: (error: unknown) => void;
  },
): Promise<void> {
  const { signal, onTrouble } = options;
  while (!signal.aborted) {
    try {
      await followOnce(registry, await findTarget(), options);
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
    }
    if (!signal.aborted) await sleep(reopenMs, undefined, { signal }).catch(() => {});
  }
}

async function followOnce(
  registry: Registry,
  target: Target,
  { signal, onChange }: { readonly signal: AbortSignal; readonly onChange: (change: Change) => void },
): Promise<void> {
  const watch = await registry.watchAll(target, controllerContext('ilk', signal));
  try {
    for await (const notices of watch) {
      for (const notice of notices) {
        if ('rendered' in notice) onChange({ type: notice.type, object: notice.rendered.object() });
      }
    }
  } finally {
    watch.close();
  }
}
