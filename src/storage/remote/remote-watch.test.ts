import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { prefixRange } from '../store.ts';
import type { RemoteLog } from './remote-log.ts';
import { RemoteWatches } from './remote-watches.ts';

const limits = { windowEventsMax: 10, windowBytesMax: 1_000 };

/** A log whose streams say that they have seen revision 10, and nothing more. */
function quietLog(more: Partial<RemoteLog> = {}): RemoteLog {
  return {
    several: false,
    timing: { retryMsMin: 1, retryMsMax: 10, stallMsMax: 100, progressMs: 60_000, silenceMsMax: 60_000 },
    revision: async () => 10,
    known: () => 10,
    open: async ({ signal }) => ({
      tellsTrueProgress: true,
      requestProgress: () => {},
      async *messages() {
        yield { events: [], revision: 10 };
        return undefined;
      },
      follow: (take) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('closed')));
          take({ events: [], revision: 10 });
        }),
      cancel: () => {},
    }),
    ...more,
  };
}

test('a watch has no listener left from what it has waited for', async () => {
  const listeners: number[] = [];
  const quiet = quietLog();
  const log = quietLog({
    open: async (options) => {
      // Only a watch that begins in the past opens a stream of its range.
      if (options.range !== undefined) listeners.push(getEventListeners(options.signal, 'abort').length);
      return quiet.open(options);
    },
  });
  const watches = new RemoteWatches(log, { limits, onTrouble: () => {} });
  // The first one starts the shared stream at 10; the second one begins before it, after it has waited for the start.
  const first = watches.watch(prefixRange('/'), { after: 10 });
  first.requestProgress();
  await first[Symbol.asyncIterator]().next();
  const second = watches.watch(prefixRange('/'), { after: 5 });
  second.requestProgress();
  expect((await second[Symbol.asyncIterator]().next()).value).toEqual({ events: [], revision: 10 });
  expect(listeners).toEqual([0]);
  await watches.close();
});

test('closing ends a watch that waits for a revision that does not come', async () => {
  const log = quietLog({ revision: async () => 20 });
  const watches = new RemoteWatches(log, { limits, onTrouble: () => {} });
  const messages = watches.watch(prefixRange('/'), { after: 15 })[Symbol.asyncIterator]();
  const waiting = messages.next();
  await watches.close();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test('a closed watch leaves no listener on the signal of its caller', async () => {
  const watches = new RemoteWatches(quietLog(), { limits, onTrouble: () => {} });
  const { signal } = new AbortController();
  const watch = watches.watch(prefixRange('/'), { after: 10, signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  watch.close();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await watches.close();
});
