import { expect, test } from 'vitest';
import { FlowCounts } from './flow-counts.ts';
import type { Place } from './place.ts';
import { QueueSet } from './queue-set.ts';
import { seededRandom } from '../meta/index.ts';

const queuing = { queues: 4, handSize: 1, queueLengthLimit: 6 };
const digest = { user: { name: 'a', groups: [] }, verb: 'get', path: '/', resource: undefined };

/** A flow whose requests wait in one queue. */
const flowIn = (queue: number) => ({
  schemaName: 's',
  distinguisher: String(queue),
  counts: new FlowCounts(),
  hand: [queue],
});

/** Seeded random whole numbers below a bound. */
function randomOf(seed: number): (below: number) => number {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}

interface Job {
  readonly id: number;
  readonly queue: number;
  readonly seats: number;
  readonly arrivalR: number;
  startedMs: number;
}

/**
 * The rules of KEP-1040 as specified, recomputed at each step: progress by the number of busy queues, the queue whose
 * first request would finish first, credit for unused seat time.
 */
class Reference {
  readonly waiting: Job[] = [];
  readonly executing: Job[] = [];
  readonly dispatchR: number[] = [0, 0, 0, 0];
  progress = 0;
  robin = 0;
  atMs = 0;
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  seats = (jobs: readonly Job[]) => jobs.reduce((sum, job) => sum + job.seats, 0);
  of = (jobs: readonly Job[], queue: number) => jobs.filter((job) => job.queue === queue);
  isBusy = (queue: number) => this.of([...this.waiting, ...this.executing], queue).length > 0;

  sync(nowMs: number): void {
    const busy = [0, 1, 2, 3].filter(this.isBusy).length;
    const seats = Math.min(this.seats(this.waiting) + this.seats(this.executing), this.limit);
    if (busy > 0) this.progress += (((nowMs - this.atMs) / 1000) * seats) / busy;
    this.atMs = nowMs;
  }

  bound(): void {
    for (const queue of [0, 1, 2, 3]) {
      const first = this.of(this.waiting, queue)[0];
      if (first !== undefined) this.dispatchR[queue] = Math.max(this.dispatchR[queue] ?? 0, first.arrivalR);
    }
  }

  enter(id: number, queue: number, seats: number, nowMs: number): boolean {
    this.sync(nowMs);
    const full = this.of(this.waiting, queue).length >= queuing.queueLengthLimit;
    if (full && this.seats(this.executing) >= this.seatsFor(queue)) return false;
    if (!this.isBusy(queue)) this.dispatchR[queue] = this.progress;
    this.waiting.push({ id, queue, seats, arrivalR: this.progress, startedMs: 0 });
    this.bound();
    this.dispatch(nowMs);
    return true;
  }

  dispatch(nowMs: number): void {
    while (this.waiting.length > 0 && this.seats(this.executing) < this.limit) {
      const order = [1, 2, 3, 4].map((step) => (this.robin + step) % 4);
      const heads = order.flatMap((queue) => this.of(this.waiting, queue).slice(0, 1));
      const finish = ({ queue, seats }: Job) => (this.dispatchR[queue] ?? 0) + seats * 0.003;
      const first = (jobs: readonly Job[]) =>
        jobs.reduce<Job | undefined>((a, b) => (a === undefined || finish(b) < finish(a) ? b : a), undefined);
      const idle = heads.filter(({ queue }) => this.of(this.executing, queue).length === 0);
      const next = [first(heads), first(idle)].find((job) => job !== undefined && this.fits(job));
      if (next === undefined) return;
      this.robin = next.queue;
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.executing.push(next);
      next.startedMs = nowMs;
      this.dispatchR[next.queue] = finish(next);
      this.bound();
    }
  }

  /** An eighth of the seats is reserved for queues without running requests. */
  seatsFor(queue: number): number {
    const reserved = this.of(this.executing, queue).length === 0 ? 0 : Math.floor(this.limit / 8);
    return this.limit - reserved;
  }

  fits({ queue, seats }: Job): boolean {
    const max = this.seatsFor(queue);
    return seats > max ? this.executing.length === 0 : this.seats(this.executing) + seats <= max;
  }

  leave(id: number, nowMs: number): void {
    this.sync(nowMs);
    const [job] = this.executing.splice(
      this.executing.findIndex((one) => one.id === id),
      1,
    );
    if (job === undefined) throw new Error('not there');
    const lasted = (nowMs - job.startedMs) / 1000;
    this.dispatchR[job.queue] = (this.dispatchR[job.queue] ?? 0) - job.seats * (0.003 - lasted);
    this.bound();
    this.dispatch(nowMs);
  }

  giveUp(id: number, nowMs: number): void {
    this.sync(nowMs);
    this.waiting.splice(
      this.waiting.findIndex((one) => one.id === id),
      1,
    );
    this.bound();
    this.dispatch(nowMs);
  }
}

test.each([1, 2, 3, 4, 5, 6])('the running requests are those of the reference (seed %i)', (seed) => {
  const random = randomOf(seed);
  const limit = 1 + random(20);
  const set = new QueueSet({ exempt: false, queuing, limit, nowMs: 0 });
  const reference = new Reference(limit);
  const places = new Map<number, Place>();
  let nowMs = 0;
  for (let id = 1; id <= 3_000; id += 1) {
    nowMs += random(4);
    const executing = [...places].filter(([, place]) => place.isExecuting);
    const waiting = [...places].filter(([, place]) => !place.isExecuting);
    const choice = random(20);
    if (choice < 10) {
      const [queue, seats] = [random(4), random(5) === 0 ? 1 + random(limit + 1) : 1];
      const place = set.enter({ flow: flowIn(queue), digest, seats, nowMs });
      if (typeof place !== 'string') places.set(id, place);
      expect(reference.enter(id, queue, seats, nowMs)).toBe(typeof place !== 'string');
    } else if (choice === 10 && waiting.length > 0) {
      const [gone, place] = waiting[random(waiting.length)] ?? [];
      if (gone === undefined || place === undefined) continue;
      expect(set.giveUp(place, 'time-out', nowMs)).toBe(true);
      places.delete(gone);
      reference.giveUp(gone, nowMs);
    } else if (executing.length > 0) {
      const [done, place] = executing[random(executing.length)] ?? [];
      if (done === undefined || place === undefined) continue;
      set.leave(place, nowMs);
      places.delete(done);
      reference.leave(done, nowMs);
    }
    const running = [...places].filter(([, place]) => place.isExecuting).map(([one]) => one);
    expect(running.sort()).toEqual(reference.executing.map((job) => job.id).sort());
    expect(set.currentR).toBeCloseTo(reference.progress, 9);
    expect([set.waiting, set.seatsInUse]).toEqual([
      reference.waiting.length,
      reference.seats(reference.executing),
    ]);
  }
});

/** Flows that each keep a number of requests of some duration in flight; returns each flow's seat-milliseconds. */
function served(
  flows: readonly { readonly busy: number; readonly lastsMs: number }[],
  limit: number,
): number[] {
  const set = new QueueSet({
    exempt: false,
    queuing: { queues: 8, handSize: 1, queueLengthLimit: 1_000 },
    limit,
    nowMs: 0,
  });
  const got = flows.map(() => 0);
  const under: { readonly place: Place; readonly flow: number }[] = [];
  const enter = (flow: number, nowMs: number) => {
    const place = set.enter({ flow: flowIn(flow), digest, seats: 1, nowMs });
    if (typeof place !== 'string') under.push({ place, flow });
  };
  for (const [flow, { busy }] of flows.entries()) for (let at = 0; at < busy; at += 1) enter(flow, 0);
  for (let nowMs = 1; nowMs <= 4_000; nowMs += 1) {
    for (const one of [...under]) {
      const { startedMs } = one.place;
      const { lastsMs = 1 } = flows[one.flow] ?? {};
      if (startedMs === undefined || nowMs - startedMs < lastsMs) continue;
      set.leave(one.place, nowMs);
      under.splice(under.indexOf(one), 1);
      got[one.flow] = (got[one.flow] ?? 0) + lastsMs;
      enter(one.flow, nowMs);
    }
  }
  return got;
}

test('flows that demand more than their share get equal shares', () => {
  const total = 4_000 * 6;
  const shares = served(
    [
      { busy: 500, lastsMs: 5 },
      { busy: 30, lastsMs: 5 },
      { busy: 200, lastsMs: 20 },
    ],
    6,
  ).map((got) => got / total);
  for (const share of shares) {
    expect(share).toBeGreaterThan(0.28);
    expect(share).toBeLessThan(0.39);
  }
});

test('a flow with little demand is fully served during a flood', () => {
  const [flood = 0, quiet = 0] = served(
    [
      { busy: 900, lastsMs: 3 },
      { busy: 1, lastsMs: 3 },
    ],
    4,
  );
  // It waits for at most one request of the flood.
  expect(quiet).toBeGreaterThan(4_000 * 0.45);
  expect(flood).toBeGreaterThan(4_000 * 2.5);
});

test('a flow whose requests never end does not block another one', () => {
  const queuing = { queues: 8, handSize: 1, queueLengthLimit: 50 };
  const set = new QueueSet({ exempt: false, queuing, limit: 16, nowMs: 0 });
  const enter = (queue: number) => set.enter({ flow: flowIn(queue), digest, seats: 1, nowMs: 0 });
  const hanging = Array.from({ length: 100 }, () => enter(0));
  expect(hanging.filter((place) => typeof place !== 'string' && place.isExecuting)).toHaveLength(14);
  expect([set.waiting, hanging.filter((place) => place === 'queue-full').length]).toEqual([50, 36]);
  const quiet = [enter(1), enter(1), enter(2), enter(3)];
  expect(quiet.map((place) => typeof place !== 'string' && place.isExecuting)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
