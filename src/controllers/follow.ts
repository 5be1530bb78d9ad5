import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../meta/index.ts';
import type { ObjectWatch, Registry, Target } from '../registry/index.ts';
import { controllerContext } from './client.ts';
import type { IdleState } from './idle-state.ts';

/** One change of an object, as a controller sees it. */
interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

/** How long to wait before a watch that broke is opened again. */
const reopenMs = 100;

/** The dependencies of a follower. */
interface FollowOptions {
  readonly registry: Registry;
  readonly findTarget: () => Promise<Target>;
  readonly signal: AbortSignal;
  readonly onChange: (change: Change) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** A collection that is followed. */
export interface Following {
  /** Resolves when the signal has ended it. */
  readonly done: Promise<void>;
  /** All changes up to this revision were reported; undefined between two watches. */
  rest(): IdleState | undefined;
}

/**
 * Follows a collection until the signal aborts: its state first, then every change; the state again after each watch.
 * Deletions between two watches are not reported: callers must read the present state when they work.
 */
export function follow(options: FollowOptions): Following {
  const follower = new Follower(options);
  return { done: follower.run(), rest: () => follower.rest() };
}

class Follower {
  readonly #options: FollowOptions;
  #watch: ObjectWatch | undefined;
  #prefix = '';

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  rest(): IdleState | undefined {
    const revision = this.#watch?.revision ?? 0;
    if (revision === 0) return undefined;
    const prefix = this.#prefix;
    return { revision, prefix, concerns: () => true };
  }

  async run(): Promise<void> {
    const { signal, onTrouble, findTarget } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#followOnce(await findTarget());
      } catch (error) {
        if (!signal.aborted) onTrouble(error);
      }
      if (!signal.aborted) await sleep(reopenMs, undefined, { signal }).catch(() => {});
    }
  }

  async #followOnce(target: Target): Promise<void> {
    const { registry, signal, onChange } = this.#options;
    const watch = await registry.watchAll(target, controllerContext('ilk', signal));
    this.#prefix = target.resource.prefix;
    this.#watch = watch;
    try {
      for await (const notices of watch) {
        for (const notice of notices) {
          if ('responseObject' in notice)
            onChange({ type: notice.type, object: notice.responseObject.object() });
        }
      }
    } finally {
      this.#watch = undefined;
      watch.close();
    }
  }
}
