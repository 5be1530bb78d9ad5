import { expect, test } from 'vitest';
import type { HttpRequest } from './message.ts';
import { noteSlowRequest, type SlowRequest } from './slow-requests.ts';

/** What is told of a request for a path and query that took so long, where 100 ms are slow. */
function told(path: string, query: string, ms: number): SlowRequest | undefined {
  let slow: SlowRequest | undefined;
  const http: Pick<HttpRequest, 'method' | 'path' | 'query'> = {
    method: 'GET',
    path,
    query: new URLSearchParams(query),
  };
  const onSlow = (one: SlowRequest) => void (slow = one);
  noteSlowRequest({ fromMs: 100, onSlow }, http as HttpRequest, {
    code: 200,
    ms,
    user: 'alice',
    userAgent: 'tester',
  }); // Nothing else is read.
  return slow;
}

test('only slow requests are told of', () => {
  expect(told('/x', '', 99.9)).toBeUndefined();
  expect(told('/x', '', 100.4)).toEqual({
    method: 'GET',
    path: '/x',
    selector: '',
    code: 200,
    ms: 100,
    user: 'alice',
    userAgent: 'tester',
  });
});

test('with their selectors, on one line', () => {
  expect(told('/x', 'limit=1&filter=a%0Ab&labelSelector=c', 100)?.selector).toBe(
    'labelSelector=c&filter=a b',
  );
});

test('long ones are cut', () => {
  const { path, selector } = told(`/${'x'.repeat(600)}`, `filter=${'y'.repeat(600)}`, 100) ?? {};
  expect([path?.length, selector?.length]).toEqual([500, 500]);
});
