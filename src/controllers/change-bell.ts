import { parseListOptions } from '../meta/index.ts';
import type { Registry, Target } from '../registry/index.ts';
import { controllerContext } from './client.ts';

/** How long changes are gathered before the bell rings: a thousand deletions in a row ring it a few times. */
const gatherMs = 10;

/** A collection as of a revision. */
export interface Moment {
  readonly target: Target;
  readonly revision: number;
}

export interface ChangeBellOptions {
  readonly registry: Registry;
  readonly signal: AbortSignal;
  /** Called once after something changed. */
  readonly ring: (key: string) => void;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Rings for a key when something changes in the collections that the key waits for; once, then it waits no more.
 * Deletion controllers hang on it instead of asking again every few seconds.
 */
export class ChangeBell {
  readonly #options: ChangeBellOptions;
  readonly #waiting = new Map<string, AbortController>();
  readonly #running = new Set<Promise<void>>();
  readonly #ringing = new Set<NodeJS.Timeout>();

  constructor(options: ChangeBellOptions) {
    this.#options = options;
  }

  /** Waits for the first change of any of the collections after its moment; takes the place of an earlier wait. */
  set(key: string, moments: readonly Moment[]): void {
    this.clear(key);
    const abort = new AbortController();
    this.#waiting.set(key, abort);
    for (const moment of moments) {
      const run = this.#listen(key, moment, abort).finally(() => this.#running.delete(run));
      this.#running.add(run);
    }
  }

  /** Waits no more. */
  clear(key: string): void {
    this.#waiting.get(key)?.abort();
    this.#waiting.delete(key);
  }

  /** Nobody waits, and no ring is on its way. */
  get idle(): boolean {
    return this.#waiting.size === 0 && this.#ringing.size === 0;
  }

  /** Ends every wait. */
  async close(): Promise<void> {
    for (const key of [...this.#waiting.keys()]) this.clear(key);
    for (const timer of this.#ringing) clearTimeout(timer);
    this.#ringing.clear();
    await Promise.all(this.#running);
  }

  async #listen(key: string, moment: Moment, abort: AbortController): Promise<void> {
    try {
      await this.#firstChange(moment, AbortSignal.any([this.#options.signal, abort.signal]));
    } catch (error) {
      if (!abort.signal.aborted && !this.#options.signal.aborted) this.#options.onTrouble(error);
    }
    if (this.#waiting.get(key) !== abort || this.#options.signal.aborted) return;
    this.clear(key);
    this.#ringSoon(key);
  }

  #ringSoon(key: string): void {
    const timer = setTimeout(() => {
      this.#ringing.delete(timer);
      this.#options.ring(key);
    }, gatherMs);
    timer.unref();
    this.#ringing.add(timer);
  }

  /** A watch that ends, because a CRD changed or the moment is forgotten, is a reason to look again as well. */
  async #firstChange({ target, revision }: Moment, signal: AbortSignal): Promise<void> {
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
