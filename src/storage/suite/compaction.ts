import { expect } from 'vitest';
import { prefixRange } from '../store.ts';
import { brief, failure, type SuiteContext, take, text, write } from './context.ts';

/** Forgetting the past. */
export function compactionTests({ test }: SuiteContext): void {
  test('what is before the compacted revision is gone, the revision itself and what follows stay', async (store) => {
    const one = await write(store, '/a', 'first');
    const two = await write(store, '/a', 'second', one);
    const three = await write(store, '/a', 'third', two);
    await store.compact(two);
    expect(await store.compactRevision()).toBe(two);
    for (const call of [
      () => store.list(prefixRange('/'), { revision: one }),
      () => store.get('/a', { revision: one }),
    ]) {
      const error = await failure(call());
      expect([error.code, error.revision]).toEqual(['compacted', two]);
    }
    expect(text((await store.get('/a', { revision: two })).record?.value)).toBe('second');
    expect(text((await store.get('/a', { revision: three })).record?.value)).toBe('third');
  });

  test('current records survive, however old they are', async (store) => {
    await write(store, '/old', 'value');
    for (let index = 0; index < 50; index++) await write(store, `/n/${index}`, 'x');
    const head = await store.revision();
    await store.compact(head);
    expect(text((await store.get('/old')).record?.value)).toBe('value');
    expect((await store.list(prefixRange('/'))).count).toBe(51);
  });

  test('a change after the compacted revision still knows what it replaced', async (store) => {
    const one = await write(store, '/a', 'first');
    const other = await write(store, '/b', 'x');
    const two = await write(store, '/a', 'second', one);
    await store.compact(other);
    const messages = store.watch(prefixRange('/a'), { after: other })[Symbol.asyncIterator]();
    const [event] = await take(messages, 1);
    expect(event).toMatchObject({ revision: two, previous: { key: '/a', modRevision: one } });
    expect(text(event?.previous?.value)).toBe('first');
    await messages.return?.();
  });

  test('a watch from before the compacted revision ends with it', async (store) => {
    const one = await write(store, '/a', 'first');
    const two = await write(store, '/a', 'second', one);
    const three = await write(store, '/a', 'third', two);
    await store.compact(three);
    const messages = store.watch(prefixRange('/'), { after: one })[Symbol.asyncIterator]();
    const error = await failure(messages.next());
    expect([error.code, error.revision]).toEqual(['compacted', three]);
    expect(await messages.next()).toEqual({ done: true, value: undefined });
  });

  test('a watch from the compacted revision has every change since', async (store) => {
    const one = await write(store, '/a', 'first');
    const two = await write(store, '/a', null, one);
    await store.compact(two);
    await write(store, '/b', 'later');
    const messages = store.watch(prefixRange('/'), { after: two })[Symbol.asyncIterator]();
    expect((await take(messages, 1)).map(brief)).toEqual(['put /b later']);
    await messages.return?.();
  });

  test('compacting what was compacted changes nothing', async (store) => {
    const one = await write(store, '/a', 'first');
    const two = await write(store, '/a', 'second', one);
    await store.compact(two);
    await store.compact(one);
    expect(await store.compactRevision()).toBe(two);
  });

  test('writing goes on while thousands of revisions are forgotten', async (store) => {
    const keys = Array.from({ length: 3_000 }, (_, index) => `/a/${index}`);
    const created = await Promise.all(keys.map((key) => write(store, key, 'old')));
    await Promise.all(keys.map((key, index) => write(store, key, 'new', created[index])));
    const head = await store.revision();
    const compacting = store.compact(head);
    const during = await write(store, '/b', 'during');
    await compacting;
    expect(during).toBe(head + 1);
    const { records } = await store.list(prefixRange('/a/'));
    expect(new Set(records.map(({ value }) => text(value)))).toEqual(new Set(['new']));
    expect(records).toHaveLength(3_000);
    expect((await failure(store.get('/a/0', { revision: head - 1 }))).code).toBe('compacted');
  });
}
