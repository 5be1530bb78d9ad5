import { expect, test } from 'vitest';
import type { Handler } from '../handler.ts';
import { plainText } from '../message.ts';
import { inProcessFetch } from './in-process-fetch.ts';

// A fetch calls nothing else of its handler.
const answering = (status: number) => ({ handle: async () => plainText(status, 'ok') }) as unknown as Handler;

/** How many calls, one after the other, come before the event loop turns. */
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

test('a caller that reads again and again lets others have their turn', async () => {
  expect(await callsBeforeTurn(200)).toBeLessThanOrEqual(33);
});

test('few reads wait for no turn, and a refusal waits for one', async () => {
  expect(await callsBeforeTurn(200)).toBeGreaterThan(10);
  expect(await callsBeforeTurn(404)).toBe(1);
});
