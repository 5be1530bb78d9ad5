import { expect } from 'vitest';
import { prefixRange } from '../store.ts';
import { brief, bytes, failure, type SuiteContext, take, write } from './context.ts';

/** Watches, one promise at a time; random ones are in watch-model.ts. */
export function watchTests({ test }: SuiteContext): void {
  test('a watch has the changes of its range, old and new', async (store) => {
    const base = await store.revision();
    const one = await write(store, '/a/1', 'x');
    await write(store, '/b/1', 'x');
    const messages = store.watch(prefixRange('/a/'), { after: base })[Symbol.asyncIterator]();
    expect((await take(messages, 1)).map(brief)).toEqual(['put /a/1 x']);
    const two = await write(store, '/a/1', 'y', one);
    await write(store, '/a/1', null, two);
    await write(store, '/b/2', 'x');
    await write(store, '/a/2', 'z');
    expect((await take(messages, 3)).map(brief)).toEqual(['put /a/1 y', 'delete /a/1', 'put /a/2 z']);
    await messages.return?.();
  });

  test('an event tells the new value and what was there before', async (store) => {
    const base = await store.revision();
    const one = await write(store, '/a', 'x');
    const two = await write(store, '/a', 'y', one);
    const three = await write(store, '/a', null, two);
    const live = store.watch(prefixRange('/a'), { after: three })[Symbol.asyncIterator]();
    const past = store.watch(prefixRange('/a'), { after: base })[Symbol.asyncIterator]();
    const events = [
      { type: 'put', key: '/a', revision: one, value: bytes('x'), previous: undefined },
      {
        type: 'put',
        key: '/a',
        revision: two,
        value: bytes('y'),
        previous: { key: '/a', value: bytes('x'), modRevision: one },
      },
      {
        type: 'delete',
        key: '/a',
        revision: three,
        value: undefined,
        previous: { key: '/a', value: bytes('y'), modRevision: two },
      },
    ];
    expect(await take(past, 3)).toEqual(events);
    const four = await write(store, '/a', 'z');
    await write(store, '/a', null, four);
    expect((await take(live, 2)).map(({ previous }) => previous)).toEqual([
      undefined,
      { key: '/a', value: bytes('z'), modRevision: four },
    ]);
    await Promise.all([live.return?.(), past.return?.()]);
  });

  test('progress tells the current revision after all events before it', async (store) => {
    const base = await store.revision();
    await Promise.all(Array.from({ length: 1_200 }, (_, index) => write(store, `/a/${index}`, 'x')));
    const head = await write(store, '/b', 'not in the range');
    const watch = store.watch(prefixRange('/a/'), { after: base });
    watch.requestProgress();
    let events = 0;
    for await (const message of watch) {
      events += message.events.length;
      if (message.events.length === 0 && message.revision === head) break;
    }
    expect(events).toBe(1_200);
  });

  test('progress of a watch that is up to date comes at once', async (store) => {
    const head = await write(store, '/a', 'x');
    const watch = store.watch(prefixRange('/b'), { after: head });
    watch.requestProgress();
    const { value } = await watch[Symbol.asyncIterator]().next();
    expect(value).toEqual({ events: [], revision: head });
    watch.close();
  });

  test('a reader that comes late misses nothing', async (store) => {
    const after = await store.revision();
    const watch = store.watch(prefixRange('/a/'), { after });
    const count = 3_000;
    for (let index = 0; index < count; index += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, more) => write(store, `/a/${index + more}`, 'x')));
    }
    const events = await take(watch[Symbol.asyncIterator](), count);
    expect(events.map(({ revision }) => revision - after)).toEqual(events.map((_, index) => index + 1));
    watch.close();
  });

  test('close ends an iteration that waits, and drops what is queued', async (store) => {
    const after = await store.revision();
    const watch = store.watch(prefixRange('/'), { after });
    const messages = watch[Symbol.asyncIterator]();
    const waiting = messages.next();
    watch.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await write(store, '/a', 'x');
    expect(await messages.next()).toEqual({ done: true, value: undefined });
    watch.close();
    watch.requestProgress();
  });

  test('an aborted signal closes the watch, before or after', async (store) => {
    const after = await store.revision();
    const abort = new AbortController();
    const messages = store.watch(prefixRange('/'), { after, signal: abort.signal })[Symbol.asyncIterator]();
    const waiting = messages.next();
    abort.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    const late = store.watch(prefixRange('/'), { after: after - 1, signal: abort.signal });
    expect(await late[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  });

  test('leaving the loop closes the watch', async (store) => {
    const after = await store.revision();
    const watch = store.watch(prefixRange('/'), { after });
    await write(store, '/a', 'x');
    for await (const message of watch) {
      expect(message.events.map(brief)).toEqual(['put /a x']);
      break;
    }
    await write(store, '/b', 'x');
    expect(await watch[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  });

  test('closing the store ends its watches', async (store) => {
    const after = await store.revision();
    const messages = store.watch(prefixRange('/'), { after })[Symbol.asyncIterator]();
    const waiting = messages.next();
    await store.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test('a watch of a revision that has not happened yet is refused', async (store) => {
    const head = await store.revision();
    const error = await failure(
      store
        .watch(prefixRange('/'), { after: head + 5 })
        [Symbol.asyncIterator]()
        .next(),
    );
    expect([error.code, error.revision]).toEqual(['future-revision', head]);
  });

  test('watchers that never read block no others', async (store) => {
    const after = await store.revision();
    const idle = Array.from({ length: 100 }, (_, index) =>
      store.watch(prefixRange(index % 2 === 0 ? '/' : `/a/${index}`), { after }),
    );
    const writes = Array.from({ length: 2_000 }, (_, index) => write(store, `/a/${index}`, 'x'));
    await Promise.all(writes);
    const events = await take(store.watch(prefixRange('/a/'), { after })[Symbol.asyncIterator](), 2_000);
    expect(events).toHaveLength(2_000);
    for (const watch of idle) watch.close();
  });
}
