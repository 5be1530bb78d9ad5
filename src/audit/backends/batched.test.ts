import { expect, test } from 'vitest';
import type { AuditBackend } from '../backend.ts';
import { BatchedBackend } from './batched.ts';

/** A backend that holds two events and writes them in batches of as many; `pass` makes its time pass. */
function batched(
  more: {
    readonly batchSize?: number;
    readonly bufferCharsMax?: number;
    readonly inner?: Partial<AuditBackend>;
  } = {},
) {
  const written: (readonly string[])[] = [];
  const trouble: unknown[] = [];
  const due = new Set<() => void>();
  const inner: AuditBackend = {
    write: (events) => void written.push(events),
    close: async () => void written.push(['closed']),
    ...more.inner,
  };
  const backend = new BatchedBackend(inner, {
    bufferSize: 3,
    ...(more.bufferCharsMax && { bufferCharsMax: more.bufferCharsMax }),
    batchSize: more.batchSize ?? 2,
    waitMs: 1_000,
    onTrouble: (error) => void trouble.push(error),
    timers: {
      after: (_, call) => {
        due.add(call);
        return () => void due.delete(call);
      },
      every: () => () => {},
    },
  });
  const pass = async () => {
    for (const call of due) call();
    await Promise.resolve();
  };
  return { backend, written, trouble, due, pass };
}

test('writes when a batch is full, and needs its timer no longer', async () => {
  const { backend, written, due } = batched();
  backend.write(['a']);
  expect(due.size).toBe(1);
  backend.write(['b']);
  expect(due.size).toBe(0);
  await Promise.resolve();
  expect(written).toEqual([['a', 'b']]);
});

test('writes what has waited long enough', async () => {
  const { backend, written, pass } = batched();
  backend.write(['a']);
  await Promise.resolve();
  expect(written).toEqual([]);
  await pass();
  expect(written).toEqual([['a']]);
});

test('refuses more events than fit, and keeps those it has', async () => {
  const { backend, written } = batched({ batchSize: 9 });
  backend.write(['a', 'b', 'c']);
  expect(() => backend.write(['d'])).toThrow('audit buffer queue blocked: an event was lost');
  await backend.close();
  expect(written).toEqual([['a', 'b', 'c'], ['closed']]);
});

test('writes one batch after the other, and goes on after one that fails', async () => {
  const pending: ((error?: Error) => void)[] = [];
  const write = () =>
    new Promise<void>((resolve, reject) => pending.push((error) => (error ? reject(error) : resolve())));
  const { backend, trouble } = batched({ inner: { write } });
  backend.write(['a', 'b', 'c']);
  const closed = backend.close();
  await expect.poll(() => pending.length).toBe(1);
  pending[0]?.(new Error('unreachable'));
  await expect.poll(() => pending.length).toBe(2);
  pending[1]?.();
  await closed;
  expect(trouble).toEqual([new Error('unreachable')]);
});

test('events that are too large together are lost, until the waiting ones are written', async () => {
  const { backend, written, pass } = batched({ batchSize: 3, bufferCharsMax: 10 });
  backend.write(['12345678']);
  expect(() => backend.write(['901'])).toThrow('audit buffer queue blocked');
  await pass();
  await expect.poll(() => written).toEqual([['12345678']]);
  await expect.poll(() => attempt(() => backend.write(['1234567890']))).toBe('written');
});

/** The counter is reduced after the write. */
function attempt(write: () => void): string {
  try {
    write();
    return 'written';
  } catch (error) {
    return String(error);
  }
}
