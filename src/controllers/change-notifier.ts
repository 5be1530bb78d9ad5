import { parseListOptions, untilAnyAborts } from '../meta/index.ts';
import type { Registry, Target } from '../registry/index.ts';
import { controllerContext } from './client.ts';

/** Changes are collected this long before a notification: a thousand deletions in a row cause a few. */
const gatherMs = 10;

/** A collection as of a revision. */
export interface CollectionRevision {
  readonly target: Target;
  readonly revision: number;
}

interface ChangeNotifierOptions {
  readonly registry: Registry;
  readonly signal: AbortSignal;
  /** Called once after something changed. */
  readonly notify: (key: string) => void;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Notifies for a key when something changes in the collections that the key waits for; once, then the wait is over.
 * Deletion controllers use it instead of polling every few seconds.
 */
export class ChangeNotifier {
  readonly #options: ChangeNotifierOptions;
  readonly #waiting = new Map<string, AbortController>();
  readonly #running = new Set<Promise<void>>();
  readonly #notifying = new Set<NodeJS.Timeout>();

  constructor(options: ChangeNotifierOptions) {
    this.#options = options;
  }

  /** Waits for the first change of any of the collections after its revision; replaces an earlier wait. */
  set(key: string, collections: readonly CollectionRevision[]): void {
    this.clear(key);
    const abort = new AbortController();
    this.#waiting.set(key, abort);
    for (const collection of collections) {
      const run = this.#listen(key, collection, abort).finally(() => this.#running.delete(run));
      this.#running.add(run);
    }
  }

  /** Ends the wait of a key. */
  clear(key: string): void {
    this.#waiting.get(key)?.abort();
    this.#waiting.delete(key);
  }

  /** True where no key waits and no notification is pending. */
  get idle(): boolean {
    return this.#waiting.size === 0 && this.#notifying.size === 0;
  }

  /** Ends every wait. */
  async close(): Promise<void> {
    for (const key of [...this.#waiting.keys()]) this.clear(key);
    for (const timer of this.#notifying) clearTimeout(timer);
    this.#notifying.clear();
    await Promise.all(this.#running);
  }

  async #listen(key: string, collection: CollectionRevision, abort: AbortController): Promise<void> {
    try {
      await untilAnyAborts([this.#options.signal, abort.signal], (either) =>
        this.#firstChange(collection, either),
      );
    } catch (error) {
      if (!abort.signal.aborted && !this.#options.signal.aborted) this.#options.onTrouble(error);
    }
    if (this.#waiting.get(key) !== abort || this.#options.signal.aborted) return;
    this.clear(key);
    this.#notifySoon(key);
  }

  #notifySoon(key: string): void {
    const timer = setTimeout(() => {
      this.#notifying.delete(timer);
      this.#options.notify(key);
    }, gatherMs);
    timer.unref();
    this.#notifying.add(timer);
  }

  /** A watch that ends, because a CRD changed or the collection is forgotten, is a reason to look again as well. */
  async #firstChange({ target, revision }: CollectionRevision, signal: AbortSignal): Promise<void> {
    const query = new URLSearchParams({ watch: 'true', resourceVersion: String(revision) });
    const watch = await this.#options.registry.watch({
      target,
      options: parseListOptions(query),
      context: controllerContext('ilk', signal),
    });
    try {
      for await (const notices of watch) if (notices.length > 0) return;
    } finally {
      watch.close();
    }
  }
}
