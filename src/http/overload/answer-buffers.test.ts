import { describe, expect, test } from 'vitest';
import type { Timers } from '../../meta/index.ts';
import { AnswerBuffers } from './answer-buffers.ts';

/** Manual timers. */
function heldTimers() {
  const calls = new Set<() => void>();
  const timers: Timers = {
    after: (_, call) => {
      calls.add(call);
      return () => calls.delete(call);
    },
    every: () => () => {},
  };
  return { timers, calls };
}

function buffersOf(bytesMax: number) {
  const { timers, calls } = heldTimers();
  return { buffers: new AnswerBuffers({ bytesMax, waitMsMax: 1_000, timers }), calls };
}

const there = () => new AbortController().signal;
const tooMany = { code: 429, reason: 'TooManyRequests' };
const shown = (buffers: AnswerBuffers) =>
  buffers.families().map(({ read }) => [...read()].map(({ value }) => value)[0]);

describe('a list', () => {
  test('does not wait while there is space', () => {
    const { buffers } = buffersOf(100);
    buffers.hold().set(99);
    expect(buffers.hold().room(there())).toBeUndefined();
  });

  test('waits in order until responses have been read', async () => {
    const { buffers, calls } = buffersOf(100);
    const read = buffers.hold();
    read.set(100);
    const order: string[] = [];
    const waiting = ['first', 'second'].map(async (name) => {
      await buffers.hold().room(there());
      order.push(name);
    });
    expect(shown(buffers)).toEqual([100, 2, 0]);
    read.set(0);
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'second']);
    expect(shown(buffers)).toEqual([0, 0, 0]);
    expect(calls.size).toBe(0);
  });

  test('is refused after the maximum wait', async () => {
    const { buffers, calls } = buffersOf(100);
    buffers.hold().set(100);
    const waiting = buffers.hold().room(there());
    for (const call of calls) call();
    await expect(waiting).rejects.toMatchObject(tooMany);
    expect(shown(buffers)).toEqual([100, 0, 1]);
  });

  test('stops waiting when its client disconnects', async () => {
    const { buffers } = buffersOf(100);
    buffers.hold().set(100);
    const gone = new AbortController();
    const waiting = buffers.hold().room(gone.signal);
    gone.abort();
    await expect(waiting).rejects.toMatchObject(tooMany);
    expect(shown(buffers)[1]).toBe(0);
  });
});

describe('a response that is encoded at once', () => {
  test('is refused without space', () => {
    const { buffers } = buffersOf(100);
    buffers.hold().take(60);
    expect(() => buffers.hold().take(60)).toThrow(expect.objectContaining(tooMany));
    expect(buffers.bytes).toBe(60);
  });

  test('of any size is accepted if nothing else is buffered', () => {
    const { buffers } = buffersOf(100);
    const hold = buffers.hold();
    hold.take(1_000);
    hold.set(0);
    expect(buffers.bytes).toBe(0);
  });
});
