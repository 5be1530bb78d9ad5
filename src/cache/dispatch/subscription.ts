import { listenForAbort } from '../../meta/index.ts';
import { type Revision, StoreError } from '../../storage/index.ts';
import type { Change, Matches } from '../entries/change.ts';
import type { Interest } from './dispatch-index.ts';
import type { EventWindow } from '../state/event-window.ts';
import { checkScope, inScope, type Scope } from './scope.ts';
import { ViewError } from '../view-error.ts';
import type { ViewEvent } from '../entries/view-event.ts';

export interface SubscribeOptions<M> {
  /** Changes after this revision are delivered; a future revision is waited for. */
  readonly after: Revision;
  readonly scope: Scope;
  /** Selects entries; all of the scope if absent. Must be pure: it is also called with old content. */
  readonly matches?: Matches<M> | undefined;
  /** For a {@link DispatchIndex} of the layer above: for example, the field and value that `matches` requires. */
  readonly indexedValues?: unknown;
  /** Ends the subscription. */
  readonly signal?: AbortSignal | undefined;
}

/** The parts of the view that a subscription needs. */
export interface SubscriptionSource<M> {
  readonly window: EventWindow<M>;
  /** The revision that the view has applied. */
  readonly revision: Revision;
  /** False until the first list: the window cannot be read yet, and waiting readers are woken when it can. */
  readonly started: boolean;
  /** Changes of the scope before the window, from the storage; every batch has the revision it reaches. */
  history(scope: Scope, options: { after: Revision; signal: AbortSignal }): AsyncIterable<HistoryBatch<M>>;
  join(subscription: Subscription<M>): void;
  leave(subscription: Subscription<M>): void;
  began(subscription: Subscription<M>): void;
  ended(subscription: Subscription<M>): void;
  wakeSoon(subscription: Subscription<M>): void;
}

export interface HistoryBatch<M> {
  readonly changes: readonly Change<M>[];
  readonly revision: Revision;
}

type Batch<M> = readonly ViewEvent<M>[];
type Result<M> = IteratorResult<Batch<M>, undefined>;

/** The number of changes processed in one event loop turn while catching up. */
const scanChangesMax = 1_000;

/**
 * The changes of a scope, in order, each exactly once, in batches.
 *
 * A subscription is either *synced* (the dispatcher adds events to its queue) or *lagging* (it reads the window from
 * its position when its reader asks, and costs nothing otherwise). A full queue makes it lagging; reading up to the
 * view's revision makes it synced again.
 *
 * It ends by `close`, the signal, or the end of the view; or with a {@link ViewError} `expired` if the next changes
 * are no longer available. For one reader.
 */
export class Subscription<M> implements AsyncIterableIterator<Batch<M>, undefined>, Interest<M> {
  readonly scope: Scope;
  readonly matches: Matches<M> | undefined;
  readonly indexedValues: unknown;
  readonly #source: SubscriptionSource<M>;
  readonly #queueEventsMax: number;
  readonly #abort = new AbortController();
  #queue: ViewEvent<M>[] = [];
  #synced = false;
  /** All changes up to here were delivered or do not concern this subscription. */
  #position: Revision;
  /** All changes up to here were delivered, and the reader has asked for more since. */
  #settled: Revision;
  #reading = false;
  #bookmarkRequested = false;
  #waiting: ((result: Result<M> | Promise<Result<M>>) => void) | undefined;
  #end: { readonly error: unknown } | 'closed' | undefined;
  #history: AsyncIterator<HistoryBatch<M>> | undefined;
  /** True once the window was reached: falling out of it then ends the subscription. */
  #reachedWindow = false;

  constructor(source: SubscriptionSource<M>, options: SubscribeOptions<M> & { queueEventsMax: number }) {
    checkScope(options.scope);
    this.scope = options.scope;
    this.matches = options.matches;
    this.indexedValues = options.indexedValues;
    this.#source = source;
    this.#queueEventsMax = options.queueEventsMax;
    this.#position = options.after;
    this.#settled = options.after;
    source.began(this);
    if (options.signal !== undefined) listenForAbort(options.signal, () => this.close(), this.#abort.signal);
  }

  /**
   * The revision for a bookmark: all changes up to it were delivered, and the reader has asked for more. It follows
   * the view's revision while there is nothing to deliver, and stays while the reader processes a batch.
   */
  get revision(): Revision {
    return this.#synced && !this.#reading ? this.#seen : this.#settled;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next events; empty only after {@link requestBookmark}. */
  next(): Promise<Result<M>> {
    this.#settled = this.#position;
    this.#reading = false;
    if (this.#end !== undefined) return this.#ended(this.#end);
    const batch = this.#take();
    if (batch !== undefined) return Promise.resolve({ done: false, value: batch });
    return this.#synced || !this.#source.started ? this.#wait() : this.#catchUp();
  }

  /** Called by `for await` when its body leaves the loop. */
  return(): Promise<Result<M>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  /**
   * Makes the iteration yield an empty batch soon: the time to write a bookmark with {@link revision}, because no
   * event is pending then.
   */
  requestBookmark(): void {
    this.#bookmarkRequested = true;
    if (this.#waiting !== undefined) this.#source.wakeSoon(this);
  }

  /** Ends the iteration; queued events are dropped. */
  close(): void {
    this.#finish('closed');
  }

  /** Ends the iteration with an error. */
  fail(error: unknown): void {
    this.#finish({ error });
  }

  /** Called by the dispatcher with a change that may concern this subscription. */
  offer(change: Change<M>): void {
    if (change.revision <= this.#position) return;
    const event = this.#eventOf(change);
    if (event === undefined) return;
    if (this.#queue.length >= this.#queueEventsMax) {
      this.#position = this.#seen;
      this.#lag();
    } else {
      this.#queue.push(event);
      if (this.#queue.length > 1) return;
    }
    if (this.#waiting !== undefined) this.#source.wakeSoon(this);
  }

  /** Called by the dispatcher at the end of a turn: delivers the queued events to the reader. */
  wake(): void {
    const resolve = this.#waiting;
    if (resolve === undefined) return;
    this.#waiting = undefined;
    const batch = this.#take();
    resolve(batch === undefined ? this.next() : { done: false, value: batch });
  }

  /** Called by the view: it can be read now, and changes before the given revision are not available in the window. */
  restartedAt(start: Revision): void {
    // A subscription that has not read yet may still find its past in the storage's log.
    if (this.#reachedWindow && this.#position < start) this.expire();
    else this.wake();
  }

  /** Ends the iteration because the next events were compacted. */
  expire(): void {
    this.fail(this.#expired());
  }

  #eventOf(change: Change<M>): ViewEvent<M> | undefined {
    try {
      return change.eventFor(this.matches);
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /**
   * While synced: the revision before the queue; all changes up to it were delivered or do not concern this
   * subscription.
   */
  get #seen(): Revision {
    const next = this.#queue[0];
    return Math.max(this.#position, next === undefined ? this.#source.revision : next.revision - 1);
  }

  /** An empty batch if a bookmark was requested, otherwise the queued events. */
  #take(): Batch<M> | undefined {
    if (this.#bookmarkRequested && this.#synced) {
      this.#bookmarkRequested = false;
      this.#settled = this.#position = this.#seen;
      return [];
    }
    if (this.#queue.length === 0) return undefined;
    const batch = this.#queue;
    this.#queue = [];
    return this.#hand(batch, this.#source.revision);
  }

  #hand(batch: Batch<M>, upTo: Revision): Batch<M> {
    this.#reading = true;
    this.#position = Math.max(this.#position, upTo);
    return batch;
  }

  #wait(): Promise<Result<M>> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  #lag(): void {
    this.#queue = [];
    this.#synced = false;
    this.#source.leave(this);
  }

  #sync(): void {
    this.#synced = true;
    this.#source.join(this);
  }

  /** Reads the window, turn by turn, until there is an event to deliver. */
  async #catchUp(): Promise<Result<M>> {
    while (this.#end === undefined) {
      const events = await this.#readOn();
      if (this.#end !== undefined) break;
      if (events !== undefined) return { done: false, value: events };
      if (this.#synced) return this.next();
      await nextTurn();
    }
    return this.#ended(this.#end);
  }

  async #readOn(): Promise<Batch<M> | undefined> {
    const { window } = this.#source;
    if (this.#position >= window.start) return this.#readWindow();
    if (!this.#reachedWindow) return this.#readHistory();
    this.expire();
    return undefined;
  }

  #readWindow(): Batch<M> | undefined {
    this.#reachedWindow = true;
    this.#closeHistory();
    const changes = this.#source.window.after(this.#position, scanChangesMax);
    const last = changes.at(-1);
    const upTo =
      changes.length < scanChangesMax || last === undefined ? this.#source.revision : last.revision;
    const batch = this.#select(changes);
    if (this.#end !== undefined) return undefined;
    if (upTo >= this.#source.revision) this.#sync();
    return this.#advance(batch, upTo);
  }

  async #readHistory(): Promise<Batch<M> | undefined> {
    const options = { after: this.#position, signal: this.#abort.signal };
    this.#history ??= this.#source.history(this.scope, options)[Symbol.asyncIterator]();
    try {
      const { done, value } = await this.#history.next();
      if (done === true) throw this.#expired();
      return this.#advance(this.#select(value.changes), value.revision);
    } catch (error) {
      const forgotten =
        error instanceof StoreError && (error.code === 'compacted' || error.code === 'unreadable');
      this.fail(forgotten ? this.#expired(error.revision) : error);
      return undefined;
    }
  }

  #advance(batch: Batch<M>, upTo: Revision): Batch<M> | undefined {
    if (batch.length > 0) return this.#hand(batch, upTo);
    this.#settled = this.#position = Math.max(this.#position, upTo);
    return undefined;
  }

  #select(changes: readonly Change<M>[]): Batch<M> {
    const events: ViewEvent<M>[] = [];
    for (const change of changes) {
      const event = inScope(this.scope, change.key) ? this.#eventOf(change) : undefined;
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  #finish(end: { readonly error: unknown } | 'closed'): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#lag();
    this.#source.ended(this);
    this.#closeHistory();
    this.#abort.abort();
    const resolve = this.#waiting;
    this.#waiting = undefined;
    resolve?.(this.#ended(end));
  }

  #closeHistory(): void {
    this.#history?.return?.()?.catch(() => {});
    this.#history = undefined;
  }

  #ended(end: { readonly error: unknown } | 'closed'): Promise<Result<M>> {
    if (end === 'closed') return Promise.resolve({ done: true, value: undefined });
    return Promise.reject(end.error);
  }

  #expired(oldest = this.#source.window.start): ViewError {
    return new ViewError('expired', { requested: this.#position, oldest, current: this.#source.revision });
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
