import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { listenForAbort } from './listen-for-abort.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('takes its listeners away, also after garbage was collected', async () => {
  const long = new AbortController();
  const short = Array.from({ length: 3 }, () => new AbortController());
  for (const { signal } of short) listenForAbort(long.signal, () => {}, signal);
  expect(getEventListeners(long.signal, 'abort')).toHaveLength(3);
  // What is held weakly only lives until the turn is over.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  for (const one of short) one.abort();
  expect(getEventListeners(long.signal, 'abort')).toEqual([]);
});

test('calls back when the signal aborts, at once where it has', () => {
  const calls: string[] = [];
  const [first, until] = [new AbortController(), new AbortController()];
  listenForAbort(first.signal, () => calls.push('first'), until.signal);
  expect(calls).toEqual([]);
  first.abort();
  listenForAbort(first.signal, () => calls.push('aborted'), until.signal);
  expect(calls).toEqual(['first', 'aborted']);
  until.abort();
  listenForAbort(first.signal, () => calls.push('over'), until.signal);
  expect(calls).toEqual(['first', 'aborted']);
});
