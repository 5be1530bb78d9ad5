import { closedWatch } from '../closed.ts';
import type { KeyRange, Revision, StoreWatch, WatchOptions } from '../store.ts';
import type { RemoteLog, WindowLimits } from './remote-log.ts';
import { RemoteWatch, type RemoteWatchSource } from './remote-watch.ts';
import { WatchRelay } from './watch-relay.ts';

interface RemoteWatchesOptions {
  readonly limits: WindowLimits;
  /** Told of every interruption. */
  readonly onTrouble: (error: unknown) => void;
}

/** The watches of a store whose log is in another process: all of them share one stream of changes. */
export class RemoteWatches {
  readonly #relay: WatchRelay;
  readonly #open = new Set<RemoteWatch>();
  readonly #source: RemoteWatchSource;
  #closed = false;

  constructor(log: RemoteLog, options: RemoteWatchesOptions) {
    this.#relay = new WatchRelay(log, options);
    this.#source = {
      relay: this.#relay,
      revision: () => log.revision(),
      ended: (watch) => this.#open.delete(watch),
    };
  }

  /** As of the stream that is open, or was last. */
  get tellsTrueProgress(): boolean {
    return this.#relay.tellsTrueProgress;
  }

  watch(range: KeyRange, options: WatchOptions): StoreWatch {
    if (this.#closed) return closedWatch;
    const watch = new RemoteWatch(this.#source, range, options);
    if (!options.signal?.aborted) this.#open.add(watch);
    return watch;
  }

  /** Forgets the changes before a revision. */
  forget(revision: Revision): void {
    this.#relay.forget(revision);
  }

  /** Ends all watches and the stream. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const watch of [...this.#open]) watch.close();
    await this.#relay.close();
  }
}
