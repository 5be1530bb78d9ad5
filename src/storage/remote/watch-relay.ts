import { setTimeout as sleep } from 'node:timers/promises';
import { type KeyRange, type Revision, StoreError, type WatchMessage } from '../store.ts';
import type { LogWatch } from '../log-watch.ts';
import { WatchHub } from '../watch-hub.ts';
import { RecentEvents } from './recent-events.ts';
import type { RemoteLog, RemoteStream, WindowLimits } from './remote-log.ts';

interface WatchRelayOptions {
  readonly limits: WindowLimits;
  readonly onTrouble: (error: unknown) => void;
}

interface Waiter {
  readonly revision: Revision;
  readonly resolve: () => void;
}

/** How often progress is requested while there are waiters: a watch that is behind gets no answer. */
const askAgainMs = 50;

/**
 * The next message; its stream is asked for progress while a reader waits for it: a slow reader needs
 * none, and responses must not queue up.
 */
async function nextOf(messages: ReturnType<RemoteStream['messages']>, stream: RemoteStream) {
  const asking = setInterval(() => stream.requestProgress(), askAgainMs);
  try {
    return await messages.next();
  } finally {
    clearInterval(asking);
  }
}

/**
 * One watch of the whole prefix, shared by all watches of this process: each change is transferred and
 * decoded once, and one progress notification serves all.
 *
 * It resumes where it broke, at any server of the database. If that revision is compacted, it starts again, and each
 * watch checks whether it lost changes.
 */
export class WatchRelay {
  readonly #log: RemoteLog;
  readonly #options: WatchRelayOptions;
  readonly #recent: RecentEvents;
  readonly #hub: WatchHub;
  readonly #abort = new AbortController();
  readonly #waiters = new Set<Waiter>();
  #started: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();
  #stream: RemoteStream | undefined;
  #asking: NodeJS.Timeout | undefined;
  #askedSinceMs = 0;
  /** Consecutive streams that were closed because they were silent while there were waiters. */
  #stalls = 0;
  #tellsTrueProgress = false;
  #failures = 0;
  #heardMs = 0;

  constructor(log: RemoteLog, options: WatchRelayOptions) {
    this.#log = log;
    this.#options = options;
    this.#recent = new RecentEvents(options.limits);
    this.#hub = new WatchHub(this.#recent);
  }

  /** All changes up to this revision have arrived. */
  get head(): Revision {
    return this.#recent.head;
  }

  /** Whether the database can be believed about how far the stream is; false until there is one. */
  get tellsTrueProgress(): boolean {
    return this.#tellsTrueProgress;
  }

  /** The oldest revision whose changes {@link watch} can deliver. */
  get oldest(): Revision {
    return this.#recent.compacted;
  }

  /**
   * Starts with the first watcher, at its revision unless the database is far ahead, so that the watcher is served from
   * the relay.
   */
  start(after: Revision): Promise<void> {
    this.#started ??= this.#begin(after).catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    return this.#started;
  }

  /** A watch from a revision between {@link oldest} - 1 and {@link head}; ends with `compacted` where it falls out of that. */
  watch(range: KeyRange, after: Revision): LogWatch {
    return this.#hub.watch(range, { after });
  }

  /** The events after a revision, read from the database until {@link watch} can continue. */
  async *replay(range: KeyRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchMessage> {
    const stream = await this.#log.open({ range, after, signal });
    const messages = stream.messages();
    try {
      stream.requestProgress();
      for (;;) {
        const { value: message } = await nextOf(messages, stream);
        if (message === undefined) return;
        yield message;
        if (message.revision + 1 >= this.oldest) return;
      }
    } finally {
      stream.cancel();
    }
  }

  /** Resolves when all events have arrived that are known from other responses. */
  caughtUp(): Promise<void> {
    return this.reached(this.#log.known());
  }

  /** Resolves when all changes up to a revision have arrived, or the relay is closed. */
  reached(revision: Revision): Promise<void> {
    if (this.head >= revision || this.#abort.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.add({ revision, resolve });
      this.#ask();
    });
  }

  /** Forgets what is before a revision. */
  forget(revision: Revision): void {
    this.#recent.forget(Math.min(revision, this.head + 1));
    this.#hub.forget(this.oldest);
  }

  async close(): Promise<void> {
    this.#abort.abort();
    this.#stream?.cancel();
    clearTimeout(this.#asking);
    this.#hub.close();
    this.#release();
    await this.#running;
  }

  async #begin(after: Revision): Promise<void> {
    const now = await this.#log.revision();
    const near = after <= now && now - after <= this.#options.limits.windowEventsMax;
    this.#restart(near ? after : now);
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        if (signal.aborted) return;
        this.#options.onTrouble(error);
        await this.#recover(error);
      }
    }
  }

  /** Waits, twice as long after each failure; starts again if the revision is compacted. */
  async #recover(error: unknown): Promise<void> {
    const { retryMsMin, retryMsMax } = this.#log.timing;
    const delayMs = Math.min(retryMsMin * 2 ** Math.min(this.#failures, 20), retryMsMax);
    this.#failures += 1;
    await sleep(delayMs, undefined, { signal: this.#abort.signal }).catch(() => {});
    if (!(error instanceof StoreError) || error.code !== 'compacted') return;
    try {
      this.#restart(await this.#log.revision());
    } catch (later) {
      this.#options.onTrouble(later);
    }
  }

  #restart(revision: Revision): void {
    const before = this.head;
    this.#recent.restart(revision);
    this.#hub.forget(this.oldest);
    this.#hub.interrupt(before);
    this.#release();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#abort;
    const stream = await this.#log.open({ range: undefined, after: this.head, signal });
    this.#stream = stream;
    this.#tellsTrueProgress = stream.tellsTrueProgress;
    this.#heardMs = Date.now();
    const beat = setInterval(() => this.#beat(stream), this.#log.timing.progressMs);
    try {
      stream.requestProgress();
      await stream.follow((message) => this.#take(message));
    } finally {
      clearInterval(beat);
      this.#stream = undefined;
    }
  }

  /** The connection to a silent server is closed: it may be dead without an error. */
  #beat(stream: RemoteStream): void {
    if (Date.now() - this.#heardMs > this.#log.timing.silenceMsMax) stream.cancel();
    else stream.requestProgress();
  }

  #take({ events, revision }: WatchMessage): void {
    this.#heardMs = Date.now();
    this.#stalls = 0;
    this.#failures = 0;
    const before = this.head;
    this.#recent.add(events, revision);
    if (events.length > 0) {
      this.#hub.forget(this.oldest);
      this.#hub.publish(events, before);
    }
    this.#release();
  }

  #release(): void {
    const closed = this.#abort.signal.aborted;
    for (const waiter of this.#waiters) {
      if (waiter.revision > this.head && !closed) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  /** Requests progress at once, and again while there are waiters. */
  #ask(): void {
    if (this.#asking !== undefined) return;
    this.#askedSinceMs = Date.now();
    this.#askAgain();
  }

  #askAgain(): void {
    if (this.#hasStalled()) this.#giveUpStream();
    else this.#stream?.requestProgress();
    this.#asking = setTimeout(() => {
      this.#asking = undefined;
      if (this.#waiters.size > 0 && !this.#abort.signal.aborted) this.#askAgain();
    }, askAgainMs);
  }

  #hasStalled(): boolean {
    const { several, timing } = this.#log;
    const allowedMs = Math.min(timing.stallMsMax * 2 ** Math.min(this.#stalls, 20), timing.silenceMsMax);
    return several && Date.now() - Math.max(this.#heardMs, this.#askedSinceMs) > allowedMs;
  }

  #giveUpStream(): void {
    if (this.#stream === undefined) return;
    this.#stalls += 1;
    this.#stream.cancel();
  }
}
