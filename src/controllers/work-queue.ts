/** The work of a queue, and how failures are retried. */
interface WorkQueueOptions {
  /** Processes a key; never called concurrently for the same key. */
  readonly work: (key: string, signal: AbortSignal) => Promise<void>;
  /** The first wait after a failure; it doubles with each one. */
  readonly retryMsMin?: number;
  readonly retryMsMax?: number;
  /** The number of keys that are processed concurrently. */
  readonly workersMax?: number;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Keys that need work. A key that is added twice is processed once, and once more if it is added meanwhile;
 * failures are retried with increasing delays. Source: client-go, util/workqueue.
 */
export class WorkQueue {
  readonly #options: Required<WorkQueueOptions>;
  readonly #waiting = new Set<string>();
  readonly #working = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #abort = new AbortController();

  constructor(options: WorkQueueOptions) {
    this.#options = { retryMsMin: 5, retryMsMax: 60_000, workersMax: 4, ...options };
  }

  /** Queues a key. */
  add(key: string): void {
    if (this.#abort.signal.aborted) return;
    if (this.#working.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#next();
  }

  /** Queues a key after a delay. */
  addAfter(key: string, delayMs: number): void {
    if (this.#abort.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.add(key);
    }, delayMs);
    timer.unref();
    this.#timers.add(timer);
  }

  /** True if no key is being processed, queued or waiting for a retry. */
  get idle(): boolean {
    return this.#waiting.size === 0 && this.#working.size === 0 && this.#timers.size === 0;
  }

  /** Takes no more work, and waits for what is under way. */
  async close(): Promise<void> {
    this.#abort.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#waiting.clear();
    await Promise.all(this.#working.values());
  }

  #next(): void {
    for (const key of this.#waiting) {
      if (this.#working.size >= this.#options.workersMax) return;
      this.#waiting.delete(key);
      this.#working.set(key, this.#run(key));
    }
  }

  async #run(key: string): Promise<void> {
    try {
      await this.#options.work(key, this.#abort.signal);
      this.#failures.delete(key);
    } catch (error) {
      this.#failed(key, error);
    } finally {
      this.#working.delete(key);
      if (this.#again.delete(key)) this.add(key);
      else this.#next();
    }
  }

  #failed(key: string, error: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.#options.onTrouble(error);
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const { retryMsMin, retryMsMax } = this.#options;
    this.addAfter(key, Math.min(retryMsMin * 2 ** (failures - 1), retryMsMax));
  }
}
