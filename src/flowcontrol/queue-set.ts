import { invariant } from '../meta/index.ts';
import type { RejectReason } from './flow-counts.ts';
import { type Flow, Place } from './place.ts';
import type { Queuing } from './priority-level.ts';
import type { RequestDigest } from './request-digest.ts';
import { RunningPlaces } from './running-places.ts';
import { SeatDemandIntegrator } from './seat-demand.ts';

/** One queue of a level; flows share it by hash. */
export class FlowQueue {
  readonly waiting: Place[] = [];
  readonly executing = new RunningPlaces();
  seatsInUse = 0;
  seatsWaiting = 0;
  /** The virtual start time of its next request, in seat-seconds. */
  nextDispatchR = 0;

  get isEmpty(): boolean {
    return this.waiting.length === 0 && this.executing.size === 0;
  }
}

/**
 * The fraction of seats reserved for queues without running requests. Requests that wait for a hanging webhook keep
 * their seats for seconds: without the reserve, those of one user would block everyone else.
 */
const reservedPart = 1 / 8;

/**
 * The estimated duration of a request until it is known, in seconds. Source: apiserver, queueset
 * estimatedServiceDuration.
 */
const serviceSeconds = 0.003;

interface QueueSetOptions {
  readonly exempt: boolean;
  /** Undefined if requests beyond the limit are rejected. */
  readonly queuing: Queuing | undefined;
  /** Concurrent seats. */
  readonly limit: number;
  readonly nowMs: number;
}

/** A request to a level. */
export interface SeatRequest {
  readonly flow: Flow;
  readonly digest: RequestDigest;
  /** The number of seats it takes while it runs. */
  readonly seats: number;
  readonly nowMs: number;
}

/** Event counters of a level. */
interface QueueSetTotals {
  dispatched: number;
  rejected: number;
  timedOut: number;
  cancelled: number;
}

/**
 * The requests of one priority level: as many run as there are seats, the others wait in queues. Busy queues share the
 * seats equally: the next request is the one that would finish first if all queues were served at once in infinitely
 * small slices. Source: KEP-1040, fair queuing for server requests; Nagle, Demers et al. Unlike upstream, an eighth of
 * the seats is reserved for queues without running requests.
 *
 * The current time is passed in. Every method may start waiting requests.
 */
export class QueueSet {
  readonly demand: SeatDemandIntegrator;
  readonly totals: QueueSetTotals = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 };
  /** Running requests without a queue. */
  readonly queueless = new RunningPlaces();
  #options: Pick<QueueSetOptions, 'exempt' | 'queuing' | 'limit'>;
  #queues: FlowQueue[];
  #activeQueues = 0;
  #waiting = 0;
  #executing = 0;
  #seatsInUse = 0;
  #seatsWaiting = 0;
  #enqueued = 0;
  /** The last queue served. */
  #lastServed: FlowQueue | undefined;
  /** Virtual time: the seat-seconds due to a queue that was always busy. */
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

  /** Changes the configuration; surplus queues are served until they are empty. */
  configure(options: Pick<QueueSetOptions, 'exempt' | 'queuing' | 'limit'>, nowMs: number): void {
    this.#sync(nowMs);
    this.#options = options;
    const wanted = options.queuing?.queues ?? 0;
    this.#dropEmptyQueues();
    while (this.#queues.length < wanted) this.#queues.push(new FlowQueue());
    this.#dispatch(nowMs);
  }

  /** Accepts a request. If its place does not run yet, the caller waits for `onDecided` and may {@link giveUp}. */
  enter(request: SeatRequest): Place | RejectReason {
    const { flow, nowMs } = request;
    this.#sync(nowMs);
    if (flow.hand.length === 0) return this.#enterQueueless(request);
    const queue = this.#shortest(flow.hand);
    const lengthMax = this.#options.queuing?.queueLengthLimit ?? 0;
    if (this.#seatsInUse >= this.#seatsFor(queue) && queue.waiting.length >= lengthMax)
      return this.#reject(flow, 'queue-full');
    const place = this.#placeIn(queue, request);
    this.#activate(queue);
    if (this.#waiting === 0 && this.#isFree(queue, place)) {
      // Without the way through the queue and a search of all queues.
      if (queue.nextDispatchR < place.arrivalR) queue.nextDispatchR = place.arrivalR;
      this.#startIn(queue, place, nowMs);
    } else {
      this.#enqueue(queue, place);
      if (this.#waiting > 1) this.#dispatch(nowMs);
    }
    this.#noteDemand(nowMs);
    return place;
  }

  /** Ends a running request; waiting ones get its seats. */
  leave(place: Place, nowMs: number): void {
    const { startedMs, queue, seats } = place;
    const { counts } = place.flow;
    invariant(startedMs !== undefined, 'only what runs can end');
    this.#sync(nowMs);
    this.#executing -= 1;
    this.#seatsInUse -= seats;
    counts.executingRequests -= 1;
    counts.executingSeats -= seats;
    counts.executionSeconds.observe((nowMs - startedMs) / 1000);
    if (queue === undefined) this.queueless.delete(place);
    else this.#leaveQueue(queue, place, (nowMs - startedMs) / 1000);
    this.#dispatch(nowMs);
    this.#noteDemand(nowMs);
  }

  /** Ends the wait of a request; false if it already runs. */
  giveUp(place: Place, reason: 'time-out' | 'cancelled', nowMs: number): boolean {
    const { queue } = place;
    const at = queue?.waiting.indexOf(place) ?? -1;
    if (queue === undefined || at === -1) return false;
    this.#sync(nowMs);
    queue.waiting.splice(at, 1);
    this.#noteNotWaiting(queue, place);
    place.flow.counts.waitSeconds.observe((nowMs - place.arrivedMs) / 1000);
    if (queue.isEmpty) this.#activeQueues -= 1;
    this.#reject(place.flow, reason);
    if (reason === 'cancelled') this.totals.cancelled += 1;
    else this.totals.timedOut += 1;
    this.#bound(queue);
    this.#dispatch(nowMs);
    this.#noteDemand(nowMs);
    place.onDecided?.(false);
    return true;
  }

  #enterQueueless(request: SeatRequest): Place | RejectReason {
    const { flow, seats, nowMs } = request;
    if (!this.#options.exempt && !this.#fits(seats, this.#options.limit))
      return this.#reject(flow, 'concurrency-limit');
    const place = this.#placeIn(undefined, request);
    this.queueless.add(place);
    this.#start(place, nowMs);
    this.#noteDemand(nowMs);
    return place;
  }

  #placeIn(queue: FlowQueue | undefined, { flow, digest, seats, nowMs }: SeatRequest): Place {
    return new Place({ flow, digest, seats, arrivedMs: nowMs, arrivalR: this.#currentR, queue });
  }

  #reject({ counts }: Flow, reason: RejectReason): RejectReason {
    this.totals.rejected += 1;
    counts.rejected[reason] += 1;
    return reason;
  }

  /** The queue of the hand with the least work; ties are rotated. */
  #shortest(hand: readonly number[]): FlowQueue {
    const from = this.#enqueued % hand.length;
    this.#enqueued += 1;
    if (this.#waiting === 0) {
      const queue = this.#queues[hand[from] ?? 0];
      if (queue !== undefined) return queue;
    }
    let shortest: FlowQueue | undefined;
    for (let at = 0; at < hand.length; at += 1) {
      const queue = this.#queues[hand[(from + at) % hand.length] ?? 0];
      if (queue !== undefined && (shortest === undefined || queue.seatsWaiting < shortest.seatsWaiting))
        shortest = queue;
    }
    invariant(shortest !== undefined, 'a hand holds queues');
    return shortest;
  }

  #activate(queue: FlowQueue): void {
    if (!queue.isEmpty) return;
    queue.nextDispatchR = this.#currentR;
    this.#activeQueues += 1;
  }

  #enqueue(queue: FlowQueue, place: Place): void {
    queue.waiting.push(place);
    queue.seatsWaiting += place.seats;
    this.#waiting += 1;
    this.#seatsWaiting += place.seats;
    place.flow.counts.waitingRequests += 1;
    place.flow.counts.waitingSeats += place.seats;
    this.#bound(queue);
  }

  #dispatch(nowMs: number): void {
    while (this.#waiting > 0 && this.#seatsInUse < this.#options.limit) {
      const queue = this.#nextThatFits();
      if (queue === undefined) return;
      const place = queue.waiting.shift();
      invariant(place !== undefined, 'a chosen queue has a waiting request');
      this.#noteNotWaiting(queue, place);
      this.#startIn(queue, place, nowMs);
      place.onDecided?.(true);
    }
  }

  /** Whether a request may start while none waits. */
  #isFree(queue: FlowQueue, { seats }: Place): boolean {
    return this.#seatsInUse < this.#options.limit && this.#fits(seats, this.#seatsFor(queue));
  }

  #startIn(queue: FlowQueue, place: Place, nowMs: number): void {
    this.#lastServed = queue;
    place.flow.counts.waitSeconds.observe((nowMs - place.arrivedMs) / 1000);
    queue.executing.add(place);
    queue.seatsInUse += place.seats;
    queue.nextDispatchR += workOf(place);
    this.#bound(queue);
    this.#start(place, nowMs);
  }

  /**
   * Narrower requests also wait behind the next one, which otherwise would never get its seats; those of idle queues
   * excepted.
   */
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

  /** The maximum seats in use after starting a request of a queue. */
  #seatsFor(queue: FlowQueue): number {
    const { limit } = this.#options;
    return queue.executing.size === 0 ? limit : limit - Math.floor(limit * reservedPart);
  }

  /** The queue whose first request would finish first; the search starts after the last queue served. */
  #next(takes: (queue: FlowQueue) => boolean): FlowQueue | undefined {
    let next: FlowQueue | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    const { length } = this.#queues;
    const from = this.#lastServed === undefined ? 0 : Math.max(0, this.#queues.indexOf(this.#lastServed));
    for (let step = 1; step <= length; step += 1) {
      const queue = this.#queues[(from + step) % length];
      const first = queue?.waiting[0];
      if (queue === undefined || first === undefined || !takes(queue)) continue;
      const finishR = queue.nextDispatchR + workOf(first);
      if (finishR >= earliest) continue;
      earliest = finishR;
      next = queue;
    }
    return next;
  }

  /** A request wider than the limit runs alone. */
  #fits(seats: number, limit: number): boolean {
    return seats > limit ? this.#executing === 0 : this.#seatsInUse + seats <= limit;
  }

  #start(place: Place, nowMs: number): void {
    const { counts } = place.flow;
    place.startedMs = nowMs;
    this.#executing += 1;
    this.#seatsInUse += place.seats;
    this.totals.dispatched += 1;
    counts.dispatched += 1;
    counts.executingRequests += 1;
    counts.executingSeats += place.seats;
  }

  #noteNotWaiting(queue: FlowQueue, { seats, flow }: Place): void {
    queue.seatsWaiting -= seats;
    this.#waiting -= 1;
    this.#seatsWaiting -= seats;
    flow.counts.waitingRequests -= 1;
    flow.counts.waitingSeats -= seats;
  }

  /** Replaces the estimated duration by the actual one. */
  #leaveQueue(queue: FlowQueue, place: Place, seconds: number): void {
    queue.executing.delete(place);
    queue.seatsInUse -= place.seats;
    queue.nextDispatchR -= place.seats * (serviceSeconds - seconds);
    this.#bound(queue);
    if (!queue.isEmpty) return;
    this.#activeQueues -= 1;
    this.#dropEmptyQueues();
  }

  /** An idle queue earns no credit: its virtual start time is at least the current one. */
  #bound(queue: FlowQueue): void {
    const first = queue.waiting[0];
    if (first !== undefined && queue.nextDispatchR < first.arrivalR) queue.nextDispatchR = first.arrivalR;
  }

  #dropEmptyQueues(): void {
    const wanted = this.#options.queuing?.queues ?? 0;
    if (this.#queues.length <= wanted) return;
    this.#queues = this.#queues.filter((queue, at) => at < wanted || !queue.isEmpty);
  }

  /** Advances virtual time since the last change: the usable seats, divided equally among busy queues. */
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
