import { expect, test } from 'vitest';
import { limits } from '../../meta/index.ts';
import { ThreadAuditBackend } from './thread-audit.ts';
import type { AuditedEvents } from './thread-calls.ts';

/** A backend, and what the first thread got; it answers when the test says so. */
function open(options: { readonly isForgiving?: boolean; readonly isQueued?: boolean } = {}) {
  const got: AuditedEvents[] = [];
  const answers: ((error?: Error) => void)[] = [];
  const trouble: unknown[] = [];
  const thread = {
    audit: (events: AuditedEvents) => {
      got.push(events);
      return new Promise<void>((resolve, reject) => {
        answers.push((error) => (error === undefined ? resolve() : reject(error)));
      });
    },
  };
  const backend = new ThreadAuditBackend(thread, {
    backend: 1,
    isForgiving: false,
    isQueued: false,
    onTrouble: (error) => void trouble.push(error),
    ...options,
  });
  return { backend, got, answers, trouble };
}

test('the events of a turn are sent together, and each write resolves when they are written', async () => {
  const { backend, got, answers } = open();
  const done: string[] = [];
  const writes = ['a', 'b'].map(async (event) => {
    await backend.write([event]);
    done.push(event);
  });
  await expect.poll(() => got).toEqual([{ backend: 1, events: ['a', 'b'], isAwaited: true }]);
  expect(done).toEqual([]);
  answers[0]?.();
  await Promise.all(writes);
  expect(done).toEqual(['a', 'b']);
});

test('events that are not awaited are sent with awaited ones, in their order', async () => {
  const { backend, got, answers } = open();
  const arrival = backend.write(['a'], false);
  const end = backend.write(['b']);
  await expect.poll(() => got).toEqual([{ backend: 1, events: ['a', 'b'], isAwaited: true }]);
  answers[0]?.();
  await Promise.all([arrival, end]);
});

test('a failure of the first thread is one of every write of the turn', async () => {
  const { backend, answers } = open();
  const writes = [backend.write(['a']), backend.write(['b'])];
  await expect.poll(() => answers).toHaveLength(1);
  answers[0]?.(new Error('the disk is full'));
  for (const write of writes) await expect(write).rejects.toThrow('the disk is full');
});

test('a queue is not waited for; what it loses is reported', async () => {
  const { backend, answers, trouble } = open({ isQueued: true });
  expect(backend.write(['a'])).toBeUndefined();
  await expect.poll(() => answers).toHaveLength(1);
  answers[0]?.(new Error('audit buffer queue blocked: an event was lost'));
  await expect.poll(() => trouble).toEqual([new Error('audit buffer queue blocked: an event was lost')]);
});

test('closing sends what waits, and waits until it is written', async () => {
  const { backend, got, answers } = open({ isQueued: true });
  backend.write(['a'], false);
  let closed = false;
  const closing = backend.close().then(() => (closed = true));
  expect(got).toEqual([{ backend: 1, events: ['a'], isAwaited: false }]);
  expect(closed).toBe(false);
  answers[0]?.();
  await closing;
});

test('too many unwritten events are refused, until some are written', async () => {
  const { backend, answers } = open({ isQueued: true });
  const large = 'x'.repeat(limits.auditBufferBytesMax / 2);
  backend.write([large]);
  backend.write([large]);
  expect(() => backend.write(['a'])).toThrow('audit buffer queue blocked: an event was lost');
  await expect.poll(() => answers).toHaveLength(1);
  answers[0]?.();
  await expect.poll(() => attempt(() => backend.write(['a']))).toBe('written');
});

/** The room is free after the write. */
function attempt(write: () => unknown): string {
  try {
    write();
    return 'written';
  } catch (error) {
    return String(error);
  }
}
