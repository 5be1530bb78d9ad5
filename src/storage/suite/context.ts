import { expect } from 'vitest';
import {
  type Commit,
  type Revision,
  type Store,
  StoreError,
  type StoreEvent,
  type WatchMessage,
} from '../store.ts';

/** How the parts of the suite state their tests: each gets an empty store, which is closed after it. */
export interface SuiteContext {
  test(name: string, body: (store: Store) => Promise<void>): void;
  /** Whether concurrent commits take effect in the order of their calls. */
  readonly ordersCommits: boolean;
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (value: Uint8Array | undefined): string | undefined =>
  value === undefined ? undefined : new TextDecoder().decode(value);

/** Writes and must succeed; gives the revision. */
export async function write(
  store: Store,
  key: string,
  value: string | null,
  expected = 0,
): Promise<Revision> {
  const commit: Commit = { key, value: value === null ? null : bytes(value), expect: expected };
  const result = await store.commit(commit);
  expect(result).toEqual({ ok: true, revision: expect.any(Number) });
  return result.revision;
}

/** What a promise was rejected with, as `code: message`. */
export async function failure(promise: Promise<unknown>): Promise<StoreError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StoreError) return error;
  throw new Error(`expected a StoreError, got ${String(error)}`);
}

/** Reads until a number of events has arrived. */
export async function take(messages: AsyncIterator<WatchMessage>, count: number): Promise<StoreEvent[]> {
  const events: StoreEvent[] = [];
  while (events.length < count) {
    const { value, done } = await messages.next();
    if (done) throw new Error(`the watch ended after ${events.length} of ${count} events`);
    events.push(...value.events);
  }
  return events;
}

/** An event in short: `put /a/1 x`, `delete /a/1`. */
export const brief = ({ type, key, value }: StoreEvent): string =>
  value === undefined ? `${type} ${key}` : `${type} ${key} ${text(value)}`;
