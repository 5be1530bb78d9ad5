import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { untilAnyAborts } from './until-any-aborts.ts';

const listeners = (signals: readonly AbortSignal[]) =>
  signals.map((signal) => getEventListeners(signal, 'abort').length);

test.each(['returns', 'fails'])('listens to each signal until the work %s', async (end) => {
  const signals = [new AbortController().signal, new AbortController().signal];
  const work = untilAnyAborts(signals, async (signal) => {
    expect(listeners(signals)).toEqual([1, 1]);
    if (end === 'fails') throw new Error('failed');
    return signal.aborted;
  });
  if (end === 'fails') await expect(work).rejects.toThrow('failed');
  else expect(await work).toBe(false);
  expect(listeners(signals)).toEqual([0, 0]);
});

test.each([0, 1])('aborts with the first signal, and with its reason: %d', async (index) => {
  const controllers = [new AbortController(), new AbortController()];
  const signals = controllers.map(({ signal }) => signal);
  const reason = await untilAnyAborts(signals, async (signal) => {
    controllers[index]?.abort('first');
    controllers[1 - index]?.abort('second');
    return signal.reason;
  });
  expect(reason).toBe('first');
});

test('the signal is aborted from the start if one of them is', async () => {
  const signals = [AbortSignal.abort('gone'), new AbortController().signal];
  expect(await untilAnyAborts(signals, async (signal) => signal.reason)).toBe('gone');
});
