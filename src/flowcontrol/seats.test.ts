import { describe, expect, test } from 'vitest';
import { DroppedRequests } from './dropped-requests.ts';
import { allocateSeats } from './seat-allocation.ts';
import { SeatDemandIntegrator, smoothedDemand } from './seat-demand.ts';
import { WorkEstimator } from './work-estimator.ts';

describe('seat allocation', () => {
  const claim = (lowerBound: number, target: number, upperBound: number) => ({
    lowerBound,
    target,
    upperBound,
  });
  const rounded = (sum: number, claims: ReturnType<typeof claim>[]) =>
    allocateSeats(sum, claims).seats.map((seats) => Math.round(seats * 1000) / 1000);

  test.each<[string, number, ReturnType<typeof claim>[], number[]]>([
    ['by their targets', 30, [claim(0, 10, 99), claim(0, 5, 99)], [20, 10]],
    ['not above their bounds', 30, [claim(0, 10, 12), claim(0, 5, 99)], [12, 18]],
    ['not below their bounds', 10, [claim(8, 10, 99), claim(0, 10, 99)], [8, 2]],
    ['their upper bounds where all fit', 50, [claim(0, 10, 12), claim(0, 5, 9)], [12, 9]],
    ['their lower bounds where nothing is left', 8, [claim(5, 10, 12), claim(3, 5, 9)], [5, 3]],
    ['the rest, without any demand', 10, [claim(0, 0, 99), claim(0, 0, 99)], [5, 5]],
  ])('%s', (_, sum, claims, expected) => expect(rounded(sum, claims)).toEqual(expected));
});

describe('demand', () => {
  test('is weighted by time', () => {
    const demand = new SeatDemandIntegrator(0);
    demand.set(10, 1_000);
    demand.set(2, 3_000);
    const { average, deviation, highWatermark } = demand.reset(4_000);
    expect([average, highWatermark]).toEqual([5.5, 10]);
    expect(deviation).toBeCloseTo(4.555, 3);
    expect(demand.reset(5_000)).toEqual({ average: 2, deviation: 0, highWatermark: 2 });
  });

  test('rises immediately and falls with a half-life of five minutes', () => {
    let smoothed = smoothedDemand(0, { average: 90, deviation: 10, highWatermark: 200 });
    expect(smoothed).toBe(100);
    for (let step = 0; step < 30; step += 1)
      smoothed = smoothedDemand(smoothed, { average: 0, deviation: 0, highWatermark: 0 });
    expect(smoothed).toBeCloseTo(49.8, 1);
  });
});

test('the retry-after grows with rejections, and shrinks again', () => {
  const dropped = new DroppedRequests();
  const waits: number[] = [];
  for (let second = 1; second <= 12; second += 1) {
    for (let one = 0; one < 40; one += 1) dropped.record(second * 1000);
    waits.push(dropped.retryAfterSeconds);
  }
  expect(waits).toEqual([1, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 8]);
  for (let second = 60; second < 100; second += 10) dropped.record(second * 1000);
  expect(dropped.retryAfterSeconds).toBe(4);
});

describe('the seats of a request', () => {
  const resource = (name: string) => ({
    group: '',
    version: 'v1',
    resource: name,
    subresource: '',
    namespace: '',
    name: '',
  });
  const configMaps = resource('configmaps');
  const served = () => true;

  test('are learned from similar requests', () => {
    const work = new WorkEstimator(served);
    const lists = work.workOf('list', configMaps, 0);
    expect(lists.seats(10)).toBe(1);
    lists.learn(6);
    expect(work.workOf('list', { ...configMaps }, 0).seats(10)).toBe(6);
    lists.learn(200);
    expect(lists.seats(10)).toBe(10);
    expect(work.workOf('list', configMaps, 500).seats(10)).toBe(1);
    expect(work.workOf('get', configMaps, 0).seats(10)).toBe(1);
  });

  test('are learned together for what the server does not have, and for sizes beyond any body', () => {
    const work = new WorkEstimator((asked) => asked.resource === 'configmaps');
    const sized = (name: string, size: number) => work.workOf('list', resource(name), size);
    expect(sized('a', 0)).toBe(sized('b', 0));
    expect(sized('configmaps', 0)).not.toBe(sized('b', 0));
    expect(work.workOf('list', undefined, 0)).toBe(sized('b', 0));
    expect(sized('configmaps', 1e300)).toBe(sized('configmaps', Number.POSITIVE_INFINITY));
    expect(sized('configmaps', -1)).toBe(sized('configmaps', 0));
  });

  test('are measured for the first requests, then for one in sixteen', () => {
    const work = new WorkEstimator(served).workOf('list', configMaps, 0);
    const measured = Array.from({ length: 64 }, () => work.isMeasured());
    expect(measured.filter(Boolean)).toHaveLength(8);
  });
});
