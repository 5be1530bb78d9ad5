import { expect } from 'vitest';
import { type ListResult, prefixRange, type Revision, type Store } from '../store.ts';
import { failure, type SuiteContext, text, write } from './context.ts';

const keysOf = ({ records }: ListResult) => records.map(({ key }) => key);
const valuesOf = ({ records }: ListResult) => records.map(({ value }) => text(value));

async function fill(store: Store, keys: readonly string[]): Promise<Revision[]> {
  const revisions: Revision[] = [];
  for (const key of keys) revisions.push(await write(store, key, `value of ${key}`));
  return revisions;
}

/** Ranges, pages, and the past. */
export function listTests({ test }: SuiteContext): void {
  test('a list has the keys of its range in the order of their bytes', async (store) => {
    await fill(store, ['/a/b', '/a', '/a/é', '/a/😀', '/a/\ufffd', '/b', '/a/a/a', '/a0']);
    const result = await store.list(prefixRange('/a/'));
    expect(keysOf(result)).toEqual(['/a/a/a', '/a/b', '/a/é', '/a/\ufffd', '/a/😀']);
    expect(result).toMatchObject({ count: 5, more: false, revision: await store.revision() });
  });

  test('an empty range is an empty list', async (store) => {
    await fill(store, ['/a']);
    const revision = await store.revision();
    const nothing = { records: [], count: 0, more: false, revision };
    expect(await store.list(prefixRange('/z'))).toEqual(nothing);
    expect(await store.list({ start: '/b', end: '/a' })).toEqual(nothing);
  });

  test('pages follow each other by the last key and a NUL', async (store) => {
    await fill(store, ['/a/1', '/a/10', '/a/2', '/a/3', '/a/4']);
    const { end } = prefixRange('/a/');
    const first = await store.list(prefixRange('/a/'), { limit: 2 });
    const second = await store.list({ start: '/a/10\0', end }, { limit: 2 });
    const third = await store.list({ start: '/a/3\0', end }, { limit: 2 });
    expect([first, second, third].map(keysOf)).toEqual([['/a/1', '/a/10'], ['/a/2', '/a/3'], ['/a/4']]);
    expect([first, second, third].map(({ count, more }) => [count, more])).toEqual([
      [5, true],
      [3, true],
      [1, false],
    ]);
  });

  test('a limit of just the right size leaves no more', async (store) => {
    await fill(store, ['/a/1', '/a/2']);
    expect(await store.list(prefixRange('/a/'), { limit: 2 })).toMatchObject({ count: 2, more: false });
  });

  test('an old revision is listed as it was', async (store) => {
    const one = await write(store, '/a/1', 'first');
    const two = await write(store, '/a/2', 'first');
    const then = two;
    await write(store, '/a/1', 'second', one);
    await write(store, '/a/2', null, two);
    await write(store, '/a/3', 'new');
    const past = await store.list(prefixRange('/a/'), { revision: then });
    expect([keysOf(past), valuesOf(past)]).toEqual([
      ['/a/1', '/a/2'],
      ['first', 'first'],
    ]);
    expect(past).toMatchObject({ count: 2, more: false, revision: then });
    expect(await store.list(prefixRange('/a/'), { revision: then, limit: 1 })).toMatchObject({
      records: [{ key: '/a/1', modRevision: one }],
      count: 2,
      more: true,
    });
  });

  test('pages without a count say whether there are more, of the present and of the past', async (store) => {
    const keys = ['/a/1', '/a/2', '/a/3', '/a/4', '/a/5'];
    const revisions = await fill(store, keys);
    const then = await store.revision();
    await write(store, '/a/1', null, revisions[0]);
    await write(store, '/a/3', 'changed', revisions[2]);
    await write(store, '/a/0', 'new');
    await write(store, '/a/6', 'new');
    const pages = async (revision: number) => {
      const found: string[][] = [];
      let { start, end } = prefixRange('/a/');
      for (;;) {
        const page = await store.list({ start, end }, { revision, limit: 2, counted: false });
        expect(page.count > 2 || !page.more).toBe(true);
        found.push(keysOf(page));
        if (!page.more) return found;
        start = `${page.records.at(-1)?.key}\0`;
      }
    };
    expect(await pages(then)).toEqual([['/a/1', '/a/2'], ['/a/3', '/a/4'], ['/a/5']]);
    expect(await pages(await store.revision())).toEqual([
      ['/a/0', '/a/2'],
      ['/a/3', '/a/4'],
      ['/a/5', '/a/6'],
    ]);
    expect(await store.list(prefixRange('/a/'), { counted: false })).toMatchObject({ count: 6, more: false });
  });

  test('get reads the past too', async (store) => {
    const one = await write(store, '/a', 'first');
    const two = await write(store, '/a', 'second', one);
    await write(store, '/a', null, two);
    const at = async (revision: number) => text((await store.get('/a', { revision })).record?.value);
    expect([await at(one - 1), await at(one), await at(two), await at(two + 1)]).toEqual([
      undefined,
      'first',
      'second',
      undefined,
    ]);
  });

  test('a revision that has not happened yet is refused', async (store) => {
    const head = await store.revision();
    for (const call of [
      () => store.list(prefixRange('/'), { revision: head + 1 }),
      () => store.get('/a', { revision: head + 1 }),
      () => store.compact(head + 1),
    ]) {
      const error = await failure(call());
      expect([error.code, error.revision]).toEqual(['future-revision', head]);
    }
  });

  test('a list whose signal was aborted is not made', async (store) => {
    const signal = AbortSignal.abort(new Error('not wanted any more'));
    await expect(store.list(prefixRange('/'), { signal })).rejects.toThrow('not wanted any more');
  });
}
