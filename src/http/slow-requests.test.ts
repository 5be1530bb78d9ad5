import { expect, test } from 'vitest';
import type { HttpRequest } from './message.ts';
import { noteSlowRequest, type SlowRequest } from './slow-requests.ts';

/** The log record of a request with a path, query and duration; 100 ms are slow. */
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
  }); // Only these fields are read.
  return slow;
}

test('logs only slow requests', () => {
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

test('truncates long selectors', () => {
  const { path, selector } = told(`/${'x'.repeat(600)}`, `filter=${'y'.repeat(600)}`, 100) ?? {};
  expect([path?.length, selector?.length]).toEqual([500, 500]);
});
