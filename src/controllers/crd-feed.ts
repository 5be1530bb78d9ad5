import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { crdFromV1beta1 } from '../crd/index.ts';
import { clone, type KubeObject, own } from '../meta/index.ts';
import type { Registry, StoredChanges } from '../registry/index.ts';
import { servedTarget } from './client.ts';
import type { Following } from './follow.ts';
import type { IdleState } from './idle-state.ts';

/** Where the CRDs are. */
export const crdResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
} as const;

/** A change of a CRD. */
export interface CrdChange {
  readonly name: string;
  /** True for what was there at the start. */
  readonly initial: boolean;
  readonly gone: boolean;
  /** The stored CRD, or the last state of a deleted one; shared by all listeners. */
  readonly crd: Readonly<KubeObject>;
}

type Listener = (change: CrdChange) => void;

interface CrdFeedOptions {
  readonly registry: Registry;
  readonly signal: AbortSignal;
  readonly onTrouble: (error: unknown) => void;
}

/** How long to wait before a stream that broke is opened again. */
const reopenMs = 100;

/** The number of CRDs that are processed before it yields to requests. */
const changesInOneTurnMax = 50;

/** Streams of the stored CRDs. Controllers that start together share one, so that each change is decoded once. */
export class CrdFeeds {
  readonly #options: CrdFeedOptions;
  #gathering: CrdFeed | undefined;

  constructor(options: CrdFeedOptions) {
    this.#options = options;
  }

  /**
   * Follows the CRDs until the signal aborts: first the present state, then every change; the state again after
   * each disconnect. Deletions in between are not reported: callers must read the present state when they work.
   */
  follow(onChange: Listener): Following {
    this.#gathering ??= this.#begin();
    const feed = this.#gathering;
    feed.listeners.push(onChange);
    return { done: feed.done, rest: () => feed.rest() };
  }

  #begin(): CrdFeed {
    queueMicrotask(() => {
      this.#gathering = undefined;
    });
    return new CrdFeed(this.#options);
  }
}

/** A CRD is shared and must not be changed in place. */
function inV1(crd: Readonly<KubeObject>): Readonly<KubeObject> {
  if (own(crd, 'apiVersion') === 'apiextensions.k8s.io/v1') return crd;
  const copy: KubeObject = clone(crd);
  crdFromV1beta1(copy);
  return copy;
}

class CrdFeed {
  readonly listeners: Listener[] = [];
  readonly done: Promise<void>;
  readonly #options: CrdFeedOptions;
  #prefix = '';
  /** All changes up to this revision were reported; 0 between two streams, and before the first state. */
  #seen = 0;

  constructor(options: CrdFeedOptions) {
    this.#options = options;
    this.done = this.#run();
  }

  rest(): IdleState | undefined {
    const prefix = this.#prefix;
    const revision = this.#seen;
    return revision === 0 ? undefined : { revision, prefix, concerns: () => true };
  }

  async #run(): Promise<void> {
    // Those who start together are all there then.
    await nextTurn();
    const { signal, onTrouble } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#followOnce();
      } catch (error) {
        if (!signal.aborted) onTrouble(error);
      }
      this.#seen = 0;
      if (!signal.aborted) await sleep(reopenMs, undefined, { signal }).catch(() => {});
    }
  }

  async #followOnce(): Promise<void> {
    const { registry, signal } = this.#options;
    const { resource } = await servedTarget(registry, crdResource);
    this.#prefix = resource.prefix;
    for await (const stored of registry.storedChanges(signal, resource)) {
      await this.#take(stored);
      this.#seen = stored.revision;
    }
  }

  async #take({ changes, initial }: StoredChanges): Promise<void> {
    for (const [index, change] of changes.entries()) {
      if (index > 0 && index % changesInOneTurnMax === 0) await nextTurn();
      const crd = change.shared();
      if (crd === undefined) continue;
      const name = change.key.slice(this.#prefix.length);
      this.#tell({ name, initial, gone: change.gone, crd: inV1(crd) });
    }
  }

  #tell(change: CrdChange): void {
    for (const listener of this.listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#options.onTrouble(error);
      }
    }
  }
}
