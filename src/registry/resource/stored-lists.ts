import type { KeyRange, ListResult, Store } from '../../storage/index.ts';

/** A list of a range that is being read, or will be read after the previous one. */
interface Reading {
  readonly result: Promise<ListResult>;
  readonly abort: AbortController;
  readers: number;
}

/**
 * Reads whole ranges from the storage, one read of a range at a time: all callers that arrive while a read is under way share the
 * next one, because the current one may miss a write acknowledged before the call.
 */
export class StoredLists {
  readonly #store: Pick<Store, 'list'>;
  readonly #ranges = new Map<string, SharedList>();

  constructor(store: Pick<Store, 'list'>) {
    this.#store = store;
  }

  /**
   * The latest records of a range. A read without remaining waiters is aborted.
   *
   * @throws {StoreError} of the storage, or the reason of the signal
   */
  async list(range: KeyRange, signal: AbortSignal): Promise<ListResult> {
    const name = `${range.start}\0${range.end}`;
    const list =
      this.#ranges.get(name) ?? new SharedList((abort) => this.#store.list(range, { signal: abort }));
    this.#ranges.set(name, list);
    try {
      return await list.read(signal);
    } finally {
      if (list.isIdle) this.#ranges.delete(name);
    }
  }
}

/** Shared reads of one range. */
class SharedList {
  readonly #list: (signal: AbortSignal) => Promise<ListResult>;
  #last: Promise<unknown> = Promise.resolve();
  /** The read that new callers share: it has not begun. */
  #next: Reading | undefined;
  #callers = 0;

  constructor(list: (signal: AbortSignal) => Promise<ListResult>) {
    this.#list = list;
  }

  get isIdle(): boolean {
    return this.#callers === 0;
  }

  async read(signal: AbortSignal): Promise<ListResult> {
    signal.throwIfAborted();
    this.#next ??= this.#prepare();
    const reading = this.#next;
    this.#callers += 1;
    reading.readers += 1;
    let onAbort = () => {};
    const gone = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([reading.result, gone]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#callers -= 1;
      reading.readers -= 1;
      if (reading.readers === 0) this.#leave(reading);
    }
  }

  #prepare(): Reading {
    const abort = new AbortController();
    const result = this.#last.then(() => {
      this.#next = undefined;
      abort.signal.throwIfAborted();
      return this.#list(abort.signal);
    });
    // Callers see the failure; the next read begins after it.
    this.#last = result.catch(() => {});
    return { result, abort, readers: 0 };
  }

  #leave(reading: Reading): void {
    reading.abort.abort();
    if (this.#next === reading) this.#next = undefined;
  }
}
