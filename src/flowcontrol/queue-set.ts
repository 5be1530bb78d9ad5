import { invariant } from '../meta/index.ts';
import type { RejectReason } from './flow-counts.ts';
import { Place, type SeatRequest } from './place.ts';
import type { Queuing } from './priority-level.ts';
import { SeatDemandIntegrator } from './seat-demand.ts';

/** One queue of a level, which flows share by chance. */
export class FlowQueue {
  readonly waiting: Place[] = [];
  readonly executing = new Set<Place>();
  seatsInUse = 0;
  seatsWaiting = 0;
  /** The progress at which its next request would start if every queue had its fair share, in seat-seconds. */
  nextDispatchR = 0;

  get isEmpty(): boolean {
    return this.waiting.length === 0 && this.executing.size === 0;
  }
}

/**
 * The part of the seats that only queues get which have no request under way. Requests that wait for a webhook which hangs
 * keep their seats for seconds: without it, one user's would keep everybody else out.
 */
const reservedPart = 1 / 8;

/** What a request is taken to last until it is known, in seconds. Source: apiserver, queueset estimatedServiceDuration. */
const serviceSeconds = 0.003;

interface QueueSetOptions {
  readonly exempt: boolean;
  /** Undefined where requests beyond the limit are rejected. */
  readonly queuing: Queuing | undefined;
  /** Seats at once. */
  readonly limit: number;
  readonly nowMs: number;
}

/** How often what happened in a level. */
interface QueueSetTotals {
  dispatched: number;
  rejected: number;
  timedOut: number;
  cancelled: number;
}

/**
 * The requests of one priority level: so many run as there are seats, the others wait in queues. Each queue that has
 * requests gets the same number of seats: the next request is the one that would be the first to finish if all queues
 * were served at once, in slices without end. Source: KEP-1040, fair queuing for server requests; Nagle, Demers et al. Unlike
 * upstream, an eighth of the seats is for queues of which nothing runs.
 *
 * Times are passed in. Every method may start requests that wait.
 */
export class QueueSet {
  readonly demand: SeatDemandIntegrator;
  readonly totals: QueueSetTotals = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 };
  /** Those that run without a queue. */
  readonly queueless = new Set<Place>();
  #options: Pick<QueueSetOptions, 'exempt' | 'queuing' | 'limit'>;
  #queues: FlowQueue[];
  #activeQueues = 0;
  #waiting = 0;
  #executing = 0;
  #seatsInUse = 0;
  #seatsWaiting = 0;
  #enqueued = 0;
  /** The queue that was served last. */
  #robin = 0;
  /** How many seat-seconds each queue that was busy all the time has been due. */
  #currentR = 0;
  #syncedMs: number;

  constructor({ nowMs, ...options }: QueueSetOptions) {
    this.#options = options;
    this.#syncedMs = nowMs;
    this.demand = new SeatDemandIntegrator(nowMs);
    this.#queues = Array.from({ length: options.queuing?.queues ?? 0 }, () => new FlowQueue());
  }

  get queues(): readonly FlowQueue[] {
    return this.#queues;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get executing(): number {
    return this.#executing;
  }

  get seatsInUse(): number {
    return this.#seatsInUse;
  }

  get seatsWaiting(): number {
    return this.#seatsWaiting;
  }

  get limit(): number {
    return this.#options.limit;
  }

  get currentR(): number {
    return this.#currentR;
  }

  get isIdle(): boolean {
    return this.#waiting === 0 && this.#executing === 0;
  }

  /** Goes on with another configuration; queues that are too many are served until they are empty. */
  configure(options: Pick<QueueSetOptions, 'exempt' | 'queuing' | 'limit'>, nowMs: number): void {
    this.#sync(nowMs);
    this.#options = options;
    const wanted = options.queuing?.queues ?? 0;
    this.#dropEmptyQueues();
    while (this.#queues.length < wanted) this.#queues.push(new FlowQueue());
    this.#dispatch(nowMs);
  }

  /**
   * Takes a request in. Where its place does not run yet, the caller waits for `onDecided`, and may {@link giveUp}.
   *
   * @param hand the queues that it may wait in; empty for a level without queues
   */
  enter(request: SeatRequest, hand: readonly number[], nowMs: number): Place | RejectReason {
    this.#sync(nowMs);
    if (hand.length === 0) return this.#enterQueueless(request, nowMs);
    const queue = this.#shortest(hand);
    const lengthMax = this.#options.queuing?.queueLengthLimit ?? 0;
    if (this.#seatsInUse >= this.#seatsFor(queue) && queue.waiting.length >= lengthMax)
      return this.#reject(request, 'queue-full');
    const place = new Place({ request, arrivedMs: nowMs, arrivalR: this.#currentR, queue });
    this.#enqueue(queue, place);
    this.#dispatch(nowMs);
    this.#noteDemand(nowMs);
    return place;
  }

  /** Ends a request that ran; its seats go to those who wait. */
  leave(place: Place, nowMs: number): void {
    const { startedMs, queue, seats, request } = place;
    invariant(startedMs !== undefined, 'only what runs can end');
    this.#sync(nowMs);
    this.#executing -= 1;
    this.#seatsInUse -= seats;
    request.counts.executingRequests -= 1;
    request.counts.executingSeats -= seats;
    request.counts.executionSeconds.observe((nowMs - startedMs) / 1000);
    if (queue === undefined) this.queueless.delete(place);
    else this.#leaveQueue(queue, place, (nowMs - startedMs) / 1000);
    this.#dispatch(nowMs);
    this.#noteDemand(nowMs);
  }

  /** Ends the wait of a request; false where it runs already. */
  giveUp(place: Place, reason: 'time-out' | 'cancelled', nowMs: number): boolean {
    const { queue } = place;
    const at = queue?.waiting.indexOf(place) ?? -1;
    if (queue === undefined || at === -1) return false;
    this.#sync(nowMs);
    queue.waiting.splice(at, 1);
    this.#noteNotWaiting(queue, place, nowMs);
    if (queue.isEmpty) this.#activeQueues -= 1;
    this.#reject(place.request, reason);
    if (reason === 'cancelled') this.totals.cancelled += 1;
    else this.totals.timedOut += 1;
    this.#bound(queue);
    this.#dispatch(nowMs);
    this.#noteDemand(nowMs);
    place.onDecided?.(false);
    return true;
  }

  #enterQueueless(request: SeatRequest, nowMs: number): Place | RejectReason {
    if (!this.#options.exempt && !this.#fits(request.seats, this.#options.limit))
      return this.#reject(request, 'concurrency-limit');
    const place = new Place({ request, arrivedMs: nowMs, arrivalR: this.#currentR, queue: undefined });
    this.queueless.add(place);
    this.#start(place, nowMs);
    this.#noteDemand(nowMs);
    return place;
  }

  #reject({ counts }: SeatRequest, reason: RejectReason): RejectReason {
    this.totals.rejected += 1;
    counts.rejected[reason] += 1;
    return reason;
  }

  /** The queue with the least work in it; of several, not always the same one. */
  #shortest(hand: readonly number[]): FlowQueue {
    const from = this.#enqueued % hand.length;
    this.#enqueued += 1;
    let shortest: FlowQueue | undefined;
    for (let at = 0; at < hand.length; at += 1) {
      const queue = this.#queues[hand[(from + at) % hand.length] ?? 0];
      if (queue !== undefined && (shortest === undefined || queue.seatsWaiting < shortest.seatsWaiting))
        shortest = queue;
    }
    invariant(shortest !== undefined, 'a hand holds queues');
    return shortest;
  }

  #enqueue(queue: FlowQueue, place: Place): void {
    if (queue.isEmpty) {
      queue.nextDispatchR = this.#currentR;
      this.#activeQueues += 1;
    }
    queue.waiting.push(place);
    queue.seatsWaiting += place.seats;
    this.#waiting += 1;
    this.#seatsWaiting += place.seats;
    place.request.counts.waitingRequests += 1;
    place.request.counts.waitingSeats += place.seats;
    this.#bound(queue);
  }

  #dispatch(nowMs: number): void {
    while (this.#waiting > 0 && this.#seatsInUse < this.#options.limit) {
      const queue = this.#nextThatFits();
      const place = queue?.waiting.shift();
      if (queue === undefined || place === undefined) return;
      this.#robin = this.#queues.indexOf(queue);
      this.#noteNotWaiting(queue, place, nowMs);
      queue.executing.add(place);
      queue.seatsInUse += place.seats;
      queue.nextDispatchR += workOf(place);
      this.#bound(queue);
      this.#start(place, nowMs);
      place.onDecided?.(true);
    }
  }

  /** Narrower requests than the one whose turn it is wait, too, else it would never get its seats; but for those of idle queues. */
  #nextThatFits(): FlowQueue | undefined {
    const fits = (queue: FlowQueue | undefined) => {
      const first = queue?.waiting[0];
      return queue !== undefined && first !== undefined && this.#fits(first.seats, this.#seatsFor(queue));
    };
    const next = this.#next(() => true);
    if (fits(next)) return next;
    const idle = this.#next(({ executing }) => executing.size === 0);
    return fits(idle) ? idle : undefined;
  }

  /** How many seats may be in use when a request of a queue has started. */
  #seatsFor(queue: FlowQueue): number {
    const { limit } = this.#options;
    return queue.executing.size === 0 ? limit : limit - Math.floor(limit * reservedPart);
  }

  /** The queue whose first request would be the first to finish; those after the one that was served last come first. */
  #next(takes: (queue: FlowQueue) => boolean): FlowQueue | undefined {
    let next: FlowQueue | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    const { length } = this.#queues;
    for (let step = 1; step <= length; step += 1) {
      const queue = this.#queues[(this.#robin + step) % length];
      const first = queue?.waiting[0];
      if (queue === undefined || first === undefined || !takes(queue)) continue;
      const finishR = queue.nextDispatchR + workOf(first);
      if (finishR >= earliest) continue;
      earliest = finishR;
      next = queue;
    }
    return next;
  }

  /** One that is wider than the limit runs alone. */
  #fits(seats: number, limit: number): boolean {
    return seats > limit ? this.#executing === 0 : this.#seatsInUse + seats <= limit;
  }

  #start(place: Place, nowMs: number): void {
    const { counts } = place.request;
    place.startedMs = nowMs;
    this.#executing += 1;
    this.#seatsInUse += place.seats;
    this.totals.dispatched += 1;
    counts.dispatched += 1;
    counts.executingRequests += 1;
    counts.executingSeats += place.seats;
  }

  #noteNotWaiting(queue: FlowQueue, place: Place, nowMs: number): void {
    const { seats, request } = place;
    queue.seatsWaiting -= seats;
    this.#waiting -= 1;
    this.#seatsWaiting -= seats;
    request.counts.waitingRequests -= 1;
    request.counts.waitingSeats -= seats;
    request.counts.waitSeconds.observe((nowMs - place.arrivedMs) / 1000);
  }

  /** What it lasted takes the place of what it was taken to last. */
  #leaveQueue(queue: FlowQueue, place: Place, seconds: number): void {
    queue.executing.delete(place);
    queue.seatsInUse -= place.seats;
    queue.nextDispatchR -= place.seats * (serviceSeconds - seconds);
    this.#bound(queue);
    if (!queue.isEmpty) return;
    this.#activeQueues -= 1;
    this.#dropEmptyQueues();
  }

  /** A queue that was not busy gets no credit for that: no request starts before it came. */
  #bound(queue: FlowQueue): void {
    const first = queue.waiting[0];
    if (first !== undefined && queue.nextDispatchR < first.arrivalR) queue.nextDispatchR = first.arrivalR;
  }

  #dropEmptyQueues(): void {
    const wanted = this.#options.queuing?.queues ?? 0;
    if (this.#queues.length <= wanted) return;
    this.#queues = this.#queues.filter((queue, at) => at < wanted || !queue.isEmpty);
    if (this.#robin >= this.#queues.length) this.#robin = 0;
  }

  /** Progress since the last change: the seats that could be used, in equal parts for each queue that has requests. */
  #sync(nowMs: number): void {
    const seconds = Math.max(0, nowMs - this.#syncedMs) / 1000;
    this.#syncedMs = nowMs;
    if (this.#activeQueues === 0) return;
    const wanted = this.#seatsInUse + this.#seatsWaiting;
    this.#currentR += (seconds * Math.min(wanted, this.#options.limit)) / this.#activeQueues;
  }

  #noteDemand(nowMs: number): void {
    this.demand.set(this.#seatsInUse + this.#seatsWaiting, nowMs);
  }
}

/** In seat-seconds. */
function workOf({ seats }: Place): number {
  return seats * serviceSeconds;
}
