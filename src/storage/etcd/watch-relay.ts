import { setTimeout as sleep } from 'node:timers/promises';
import { type KeyRange, type Revision, StoreError, type WatchMessage } from '../store.ts';
import type { LogWatch } from '../log-watch.ts';
import { WatchHub } from '../watch-hub.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { KeyMap } from './key-map.ts';
import type { EtcdLimits } from './options.ts';
import { RecentEvents } from './recent-events.ts';
import { WatchStream } from './watch-stream.ts';

export interface WatchRelayParts {
  readonly client: EtcdClient;
  readonly keys: KeyMap;
  readonly limits: EtcdLimits;
  /** The current revision, asked of etcd. */
  readonly revision: () => Promise<Revision>;
  /** The latest revision that any answer of etcd has told. */
  readonly known: () => Revision;
  readonly onTrouble: (error: unknown) => void;
}

interface Waiter {
  readonly revision: Revision;
  readonly resolve: () => void;
}

/** How often etcd is asked how far the watch is while somebody waits for that: a watch that is behind gets no answer. */
const askAgainMs = 50;

/**
 * The next message, with its stream asked for progress as long as it is waited for: a reader who takes his time wants
 * none, and nothing may pile up behind him.
 */
async function nextOf(messages: ReturnType<WatchStream['messages']>, stream: WatchStream) {
  const asking = setInterval(() => stream.requestProgress(), askAgainMs);
  try {
    return await messages.next();
  } finally {
    clearInterval(asking);
  }
}

/**
 * One watch of everything that is ours, shared by all who watch in this process: each change crosses the wire once and
 * is decoded once, and one answer about progress serves all.
 *
 * It is taken up again where it broke, at any member. When etcd has forgotten how it goes on, it begins anew, and those
 * who watch find out for themselves what that means for them.
 */
export class WatchRelay {
  readonly #parts: WatchRelayParts;
  readonly #recent: RecentEvents;
  readonly #hub: WatchHub;
  readonly #abort = new AbortController();
  readonly #waiters = new Set<Waiter>();
  #started: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();
  #stream: WatchStream | undefined;
  #asking: NodeJS.Timeout | undefined;
  #askedSinceMs = 0;
  /** How often in a row a stream was given up because it said nothing to those who waited. */
  #stalls = 0;
  #tellsTrueProgress = false;
  #failures = 0;
  #heardMs = 0;

  constructor(parts: WatchRelayParts) {
    this.#parts = parts;
    this.#recent = new RecentEvents(parts.limits);
    this.#hub = new WatchHub(this.#recent);
  }

  /** Everything up to here has come. */
  get head(): Revision {
    return this.#recent.head;
  }

  /** Whether etcd's word on how far this watch is can be believed; false until there is a watch. */
  get tellsTrueProgress(): boolean {
    return this.#tellsTrueProgress;
  }

  /** The oldest revision whose changes {@link watch} can deliver. */
  get oldest(): Revision {
    return this.#recent.compacted;
  }

  /** Begins with whoever watches first: where that one does, if etcd is not far ahead, so that both are served at once. */
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

  /** What comes after a revision, read from etcd until {@link watch} can take over. */
  async *replay(range: KeyRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchMessage> {
    const { client, keys } = this.#parts;
    const stream = await WatchStream.open({ client, keys, range, after, signal });
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

  /** Resolves when everything has come that etcd has told of otherwise. */
  caughtUp(): Promise<void> {
    return this.reached(this.#parts.known());
  }

  /** Resolves when everything up to a revision has come, or the relay is closed. */
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
    const now = await this.#parts.revision();
    const near = after <= now && now - after <= this.#parts.limits.windowEventsMax;
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
        this.#parts.onTrouble(error);
        await this.#recover(error);
      }
    }
  }

  /** Waits, twice as long after each failure; begins anew where the past is gone. */
  async #recover(error: unknown): Promise<void> {
    const { retryMsMin, retryMsMax } = this.#parts.client.timing;
    const delayMs = Math.min(retryMsMin * 2 ** Math.min(this.#failures, 20), retryMsMax);
    this.#failures += 1;
    await sleep(delayMs, undefined, { signal: this.#abort.signal }).catch(() => {});
    if (!(error instanceof StoreError) || error.code !== 'compacted') return;
    try {
      this.#restart(await this.#parts.revision());
    } catch (later) {
      this.#parts.onTrouble(later);
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
    const { client, keys } = this.#parts;
    const { signal } = this.#abort;
    const stream = await WatchStream.open({ client, keys, range: undefined, after: this.head, signal });
    this.#stream = stream;
    this.#tellsTrueProgress = stream.tellsTrueProgress;
    this.#heardMs = Date.now();
    const beat = setInterval(() => this.#beat(stream), client.timing.progressMs);
    try {
      stream.requestProgress();
      await stream.follow((message) => this.#take(message));
    } finally {
      clearInterval(beat);
      this.#stream = undefined;
    }
  }

  /** A member that says nothing at all is given up: its connection may be dead without anybody having told us. */
  #beat(stream: WatchStream): void {
    if (Date.now() - this.#heardMs > this.#parts.client.timing.silenceMsMax) stream.cancel();
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

  /** Asks at once, and again while somebody waits. */
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
    const { several, timing } = this.#parts.client;
    const allowedMs = Math.min(timing.stallMsMax * 2 ** Math.min(this.#stalls, 20), timing.silenceMsMax);
    return several && Date.now() - Math.max(this.#heardMs, this.#askedSinceMs) > allowedMs;
  }

  #giveUpStream(): void {
    if (this.#stream === undefined) return;
    this.#stalls += 1;
    this.#stream.cancel();
  }
}
