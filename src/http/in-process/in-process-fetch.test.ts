import { expect, test } from 'vitest';
import type { Handler } from '../handler.ts';
import { plainText } from '../message.ts';
import { inProcessFetch } from './in-process-fetch.ts';

// Only this method of the handler is called.
const answering = (status: number) => ({ handle: async () => plainText(status, 'ok') }) as unknown as Handler;

/** The number of sequential calls that finish before the event loop turns. */
async function callsBeforeTurn(status: number): Promise<number> {
  const fetch = inProcessFetch(answering(status));
  let hasTurned = false;
  setImmediate(() => (hasTurned = true));
  for (let calls = 1; calls <= 1_000; calls += 1) {
    await fetch('/readyz');
    if (hasTurned) return calls;
  }
  return Number.POSITIVE_INFINITY;
}

test('a caller that reads in a loop yields to others', async () => {
  expect(await callsBeforeTurn(200)).toBeLessThanOrEqual(33);
});

test('a few reads do not yield, and a refusal does', async () => {
  expect(await callsBeforeTurn(200)).toBeGreaterThan(10);
  expect(await callsBeforeTurn(404)).toBe(1);
});
