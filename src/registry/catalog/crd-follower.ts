import { setTimeout as sleep } from 'node:timers/promises';
import { Freshness, type Subscription, type ViewEntry, ViewError } from '../../cache/index.ts';
import { limits } from '../../meta/index.ts';
import { prefixRange } from '../../storage/index.ts';
import type { Representations } from '../representation/representation.ts';
import type { Resource } from '../resource/resource.ts';

/** The receiver of the stored CRDs. */
export interface CrdTarget {
  /** The names of the CRDs that were applied. */
  readonly names: Iterable<string>;
  put(name: string, entry: ViewEntry<Representations>): void;
  forget(name: string): void;
  /** Called after each batch of changes. */
  publish(): void;
}

interface CrdFollowerOptions {
  /** The resource whose objects are the CRDs. */
  readonly crds: Resource;
  readonly target: CrdTarget;
  readonly signal: AbortSignal;
  /** Called with each interruption, for the log. */
  readonly onTrouble: (error: unknown) => void;
}

/** Delay before the watch is restarted after an error. */
const retryMs = 50;

/** Loads the stored CRDs, watches them, and applies each change to the catalog, until its signal is aborted. */
export class CrdFollower {
  readonly #options: CrdFollowerOptions;
  readonly #freshness: Freshness;
  #subscription: Subscription<Representations> | undefined;

  constructor(options: CrdFollowerOptions) {
    this.#options = options;
    this.#freshness = new Freshness({
      current: () => this.revision,
      // The view of the CRDs asks for progress.
      askProgress: () => {},
      askEveryMs: limits.freshnessWaitMsMax,
    });
  }

  /** The revision up to which changes of CRDs were applied. */
  get revision(): number {
    return this.#subscription?.revision ?? 0;
  }

  /** @throws {ViewError} `timeout` if changes up to this revision are not applied in time, `closed` */
  wait(revision: number, options: { readonly timeoutMs: number }): Promise<void> {
    return this.#freshness.wait(revision, options);
  }

  /** Rejects all waiting readers. */
  close(): void {
    this.#freshness.fail(new ViewError('closed'));
  }

  /** Replaces the applied CRDs by the stored ones; returns the changes after them. */
  load(): Subscription<Representations> {
    const { crds, target } = this.#options;
    const snapshot = crds.view.snapshot();
    const subscription = this.subscribe(snapshot.revision);
    const gone = new Set(target.names);
    for (const entry of snapshot.range(prefixRange(crds.prefix))) {
      const name = this.#nameOf(entry);
      gone.delete(name);
      target.put(name, entry);
    }
    for (const name of gone) target.forget(name);
    target.publish();
    return subscription;
  }

  /** Follows the CRDs from a revision that is already applied. */
  subscribe(after: number): Subscription<Representations> {
    const { crds, signal } = this.#options;
    this.#subscription = crds.view.subscribe({ after, scope: { kind: 'all' }, signal });
    return this.#subscription;
  }

  /**
   * Runs until the signal is aborted: after an error, such as an expired revision, the current state is loaded again.
   */
  async follow(first: Subscription<Representations>): Promise<void> {
    const { signal, onTrouble } = this.#options;
    let loaded: Subscription<Representations> | undefined = first;
    while (!signal.aborted) {
      try {
        await this.#takeFrom(loaded ?? this.load());
        break;
      } catch (error) {
        loaded = undefined;
        if (!signal.aborted) onTrouble(error);
      }
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
    this.close();
  }

  /** Waiting readers are released when the next event is requested: all events before it have been applied by then. */
  async #takeFrom(subscription: Subscription<Representations>): Promise<void> {
    const { target } = this.#options;
    for (;;) {
      const next = subscription.next();
      this.#freshness.advanced(this.revision);
      const { done, value } = await next;
      if (done === true) return;
      for (const { type, entry } of value) {
        if (type === 'DELETED') target.forget(this.#nameOf(entry));
        else target.put(this.#nameOf(entry), entry);
      }
      target.publish();
    }
  }

  #nameOf({ key }: ViewEntry<Representations>): string {
    return key.slice(this.#options.crds.prefix.length);
  }
}
