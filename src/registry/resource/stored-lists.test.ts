import { describe, expect, test } from 'vitest';
import type { ListResult } from '../../storage/index.ts';
import { StoredLists } from './stored-lists.ts';

const range = { start: '/widgets/', end: '/widgets0' };
const forever = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A storage whose lists end when the test says so. */
class HeldStore {
  readonly reads: {
    signal: AbortSignal | undefined;
    end: (revision: number) => void;
    fail: (error: Error) => void;
  }[] = [];

  list(_: unknown, options: { readonly signal?: AbortSignal } = {}): Promise<ListResult> {
    return new Promise((resolve, reject) => {
      const end = (revision: number) => resolve({ records: [], revision, count: 0, more: false });
      this.reads.push({ signal: options.signal, end, fail: reject });
    });
  }
}

describe('lists from the storage', () => {
  test('that are asked for together are one read; those asked for during it share the next', async () => {
    const store = new HeldStore();
    const lists = new StoredLists(store);
    const first = [lists.list(range, forever), lists.list(range, forever)];
    await settled();
    const later = [lists.list(range, forever), lists.list(range, forever)];
    await settled();
    expect(store.reads.length).toBe(1);
    store.reads[0]?.end(5);
    expect((await Promise.all(first)).map(({ revision }) => revision)).toEqual([5, 5]);
    await settled();
    expect(store.reads.length).toBe(2);
    store.reads[1]?.end(7);
    expect((await Promise.all(later)).map(({ revision }) => revision)).toEqual([7, 7]);
  });

  test('of other ranges do not wait', async () => {
    const store = new HeldStore();
    const lists = new StoredLists(store);
    const both = [lists.list(range, forever), lists.list({ start: '/gadgets/', end: '/gadgets0' }, forever)];
    await settled();
    expect(store.reads.length).toBe(2);
    for (const [index, read] of store.reads.entries()) read.end(index + 1);
    expect((await Promise.all(both)).map(({ revision }) => revision)).toEqual([1, 2]);
  });

  test('fail for all who share them, and the next one is read nevertheless', async () => {
    const store = new HeldStore();
    const lists = new StoredLists(store);
    const first = Promise.allSettled([lists.list(range, forever), lists.list(range, forever)]);
    await settled();
    const next = lists.list(range, forever);
    store.reads[0]?.fail(new Error('away'));
    expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await settled();
    store.reads[1]?.end(3);
    expect((await next).revision).toBe(3);
  });

  test('end for a caller who is gone, and are aborted when all are gone', async () => {
    const store = new HeldStore();
    const lists = new StoredLists(store);
    const [one, two] = [new AbortController(), new AbortController()];
    const results = Promise.allSettled([lists.list(range, one.signal), lists.list(range, two.signal)]);
    await settled();
    one.abort(new Error('gone'));
    await settled();
    expect(store.reads[0]?.signal?.aborted).toBe(false);
    two.abort(new Error('gone too'));
    expect(await results).toEqual([
      { status: 'rejected', reason: new Error('gone') },
      { status: 'rejected', reason: new Error('gone too') },
    ]);
    expect(store.reads[0]?.signal?.aborted).toBe(true);
    store.reads[0]?.fail(new Error('aborted'));
    await settled();
    const after = lists.list(range, forever);
    await settled();
    store.reads[1]?.end(9);
    expect((await after).revision).toBe(9);
    await expect(lists.list(range, one.signal)).rejects.toThrow('gone');
  });
});
