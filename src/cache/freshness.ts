import type { Revision, StoreError } from '../storage/index.ts';
import { ViewError } from './view-error.ts';

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** The timeout once the view is loaded; none if absent. */
  readonly timeoutMs?: number | undefined;
}

interface Waiter {
  readonly revision: Revision;
  resolve(): void;
  reject(error: unknown): void;
}

interface FreshnessOptions {
  /** The revision that the view has applied. */
  readonly current: () => Revision;
  /** Whether the first list of the storage is still being read, and the timeout while it is. */
  readonly loading?: { readonly isUnderWay: () => boolean; readonly msMax: number };
  /** Asks the storage for its progress. */
  readonly askProgress: () => void;
  /** The retry interval while a reader waits: an answer can be lost with a connection. */
  readonly askEveryMs: number;
}

/** Lets requests wait until the view has applied a revision. */
export class Freshness {
  readonly #options: FreshnessOptions;
  readonly #waiters = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;
  /** The latest requested revision that may still be answered. */
  #askedFor: Revision = 0;

  constructor(options: FreshnessOptions) {
    this.#options = options;
  }

  /** @throws {ViewError} `timeout`, or the reason of the signal. */
  async wait(revision: Revision, options: WaitOptions): Promise<void> {
    // First: a request that need not wait does not create a signal, which would cost more than the rest of a read.
    if (this.#options.current() >= revision) return;
    options.signal?.throwIfAborted();
    const { promise, resolve, reject } = withResolvers();
    const waiter: Waiter = { revision, resolve, reject };
    const stopTimer = this.#whenLate(options.timeoutMs, () => reject(this.#timeout(revision)));
    const aborted = () => reject(options.signal?.reason);
    options.signal?.addEventListener('abort', aborted, { once: true });
    this.#waiters.add(waiter);
    this.#ask(revision);
    try {
      await promise;
    } finally {
      stopTimer();
      options.signal?.removeEventListener('abort', aborted);
      this.#waiters.delete(waiter);
    }
  }

  /** Calls back after a timeout; while the view is being loaded, after a multiple of it. */
  #whenLate(timeoutMs: number | undefined, call: () => void): () => void {
    if (timeoutMs === undefined) return () => {};
    const { loading } = this.#options;
    let waitedMs = 0;
    const wait = (): NodeJS.Timeout =>
      setTimeout(() => {
        waitedMs += timeoutMs;
        if (loading?.isUnderWay() === true && waitedMs < loading.msMax) timer = wait();
        else call();
      }, timeoutMs);
    let timer = wait();
    return () => clearTimeout(timer);
  }

  /** Must be called when the view has applied more. */
  advanced(revision: Revision): void {
    for (const waiter of this.#waiters) {
      if (waiter.revision <= revision) this.#settle(waiter, () => waiter.resolve());
    }
  }

  /** True while a reader waits: a new watch of the storage then asks for progress at once. */
  get awaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** Rejects all waiting readers. */
  fail(error: ViewError | StoreError): void {
    clearTimeout(this.#timer);
    for (const waiter of this.#waiters) this.#settle(waiter, () => waiter.reject(error));
  }

  #settle(waiter: Waiter, how: () => void): void {
    this.#waiters.delete(waiter);
    how();
  }

  /**
   * Asks for the progress once for each new revision: the storage has reached it, so the answer will include it.
   * Answers can be lost with a connection, so it is repeated while a reader waits.
   */
  #ask(revision: Revision): void {
    if (revision > this.#askedFor) {
      this.#askedFor = revision;
      this.#options.askProgress();
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#askedFor = 0;
      const [waiter] = this.#waiters;
      if (waiter !== undefined) this.#ask(waiter.revision);
    }, this.#options.askEveryMs).unref();
  }

  #timeout(requested: Revision): ViewError {
    return new ViewError('timeout', { requested, current: this.#options.current() });
  }
}

/** Promise.withResolvers, which Node 20 does not have. */
function withResolvers() {
  let resolve: () => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
