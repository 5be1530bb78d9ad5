import { describe, expect, test } from 'vitest';
import { createMemoryStore, prefixRange, type Store } from '../../storage/index.ts';
import {
  color,
  paint,
  prefix,
  read,
  readyWidgets,
  subscribe,
  writeElsewhere,
} from '../widgets.test-support.ts';
import { type ViewEntry, ViewError } from '../index.ts';

const isBlue = (entry: ViewEntry<string>) => color(entry) === 'blue';
const inA = { kind: 'prefix', prefix: `${prefix}a/` } as const;

/** Writes and waits until the view has applied it. */
async function paintSeen(
  view: Awaited<ReturnType<typeof readyWidgets>>,
  store: Store,
  name: string,
  to: string,
) {
  await view.atLeast(await paint(store, name, to), { timeoutMs: 5_000 });
}

describe('what is delivered', () => {
  test('a watcher of a namespace sees that namespace only', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    const subscription = subscribe(view, { scope: inA });
    for (const name of ['b/1', 'ab/1', 'a/1']) await paint(store, name, 'green');
    await paint(store, 'a/1', 'red');
    await paint(store, 'a/1', null);
    expect(await read(subscription, 3)).toEqual([
      'ADDED a/1=green @4',
      'MODIFIED a/1=red @5',
      'DELETED a/1=red @6',
    ]);
  });

  test('a watcher of a key sees that key only', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    const subscription = subscribe(view, { scope: { kind: 'key', key: `${prefix}a/1` } });
    for (const name of ['a/10', 'a/1', 'a/1/x']) await paint(store, name, 'green');
    await paint(store, 'a/1', null);
    expect(await read(subscription, 2)).toEqual(['ADDED a/1=green @3', 'DELETED a/1=green @5']);
  });

  test('an object that stops to match is DELETED with its old content at the revision of the change', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    const subscription = subscribe(view, { matches: isBlue });
    for (const to of ['green', 'blue', 'red', 'black', 'blue', null]) await paint(store, 'a/1', to);
    expect(await read(subscription, 4)).toEqual([
      'ADDED a/1=blue @3',
      'DELETED a/1=blue @4',
      'ADDED a/1=blue @6',
      'DELETED a/1=blue @7',
    ]);
  });

  test('watchers to whom a change means the same share its event, and so its frames', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    await paintSeen(view, store, 'a/1', 'red');
    await paintSeen(view, store, 'a/1', 'blue');
    const watchers = [{}, { scope: inA }, { matches: isBlue }];
    const events = await Promise.all(
      watchers.map((options) => subscribe(view, { after: 1, ...options }).next()),
    );
    const last = events.map(({ value }) => value?.at(-1));
    last[0]?.frames.set('v1/json', new Uint8Array(3));
    expect(last[1]?.frames.get('v1/json')?.length).toBe(3);
    expect(last[0]?.type).toBe('MODIFIED');
    expect([last[2]?.type, last[2]?.frames.size]).toEqual(['ADDED', 0]);
  });

  test('a watch of a later revision waits for what comes after it', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    const subscription = subscribe(view, { after: 3 });
    for (const to of ['green', 'blue', 'red']) await paint(store, 'a/1', to);
    expect(await read(subscription, 1)).toEqual(['MODIFIED a/1=red @4']);
  });

  test('it waits also when it has begun to read', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    const subscription = subscribe(view, { after: 3 });
    subscription.requestBookmark();
    expect([(await subscription.next()).value, subscription.revision]).toEqual([[], 3]);
    const next = read(subscription, 1);
    for (const to of ['green', 'blue', 'red']) await paintSeen(view, store, 'a/1', to);
    expect(await next).toEqual(['MODIFIED a/1=red @4']);
  });

  test('a watch that starts before the window reads the log of the storage, and goes on from there', async () => {
    const store = createMemoryStore();
    for (const to of ['green', 'blue', 'red']) await paint(store, 'a/1', to);
    await using view = await readyWidgets(store, { warmRevisionsMax: 0 });
    const subscription = subscribe(view, { after: 2, matches: isBlue });
    expect(view.oldestRevision).toBe(4);
    expect(await read(subscription, 2)).toEqual(['ADDED a/1=blue @3', 'DELETED a/1=blue @4']);
    await paint(store, 'a/1', 'blue');
    expect(await read(subscription, 1)).toEqual(['ADDED a/1=blue @5']);
  });

  test('where the log is compacted, such a watch expires and says from where it would go', async () => {
    const store = createMemoryStore();
    for (const to of ['green', 'blue', 'red']) await paint(store, 'a/1', to);
    await store.compact(3);
    await using view = await readyWidgets(store, { warmRevisionsMax: 0 });
    const late = subscribe(view, { after: 1 });
    await expect(late.next()).rejects.toEqual(
      new ViewError('expired', { requested: 1, oldest: 3, current: 4 }),
    );
    expect(view.subscriptions).toBe(0);
  });
});

describe('bookmarks', () => {
  test('the revision moves with the view while nothing is to deliver', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    const subscription = subscribe(view, { scope: inA });
    const next = subscription.next();
    await paintSeen(view, store, 'b/1', 'green');
    await writeElsewhere(store);
    await view.consistent({ timeoutMs: 5_000 });
    expect(subscription.revision).toBe(3);
    await paint(store, 'a/1', 'blue');
    expect((await next).value?.length).toBe(1);
  });

  test('it never says more than the reader has come back for', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    const subscription = subscribe(view);
    const first = subscription.next();
    await paintSeen(view, store, 'a/1', 'blue');
    await first;
    expect(subscription.revision).toBe(1);
    const second = subscription.next();
    expect(subscription.revision).toBe(2);
    await paintSeen(view, store, 'a/1', 'red');
    expect(subscription.revision).toBeLessThan(3);
    await second;
  });

  test('a requested bookmark yields an empty batch before what is queued, at the revision where the queue begins', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    const subscription = subscribe(view, { scope: inA });
    const waiting = subscription.next();
    await paintSeen(view, store, 'b/1', 'green');
    subscription.requestBookmark();
    expect([(await waiting).value, subscription.revision]).toEqual([[], 2]);
    await paintSeen(view, store, 'b/1', 'red');
    await paintSeen(view, store, 'a/1', 'blue');
    subscription.requestBookmark();
    expect([(await subscription.next()).value, subscription.revision]).toEqual([[], 3]);
    expect(await read(subscription, 1)).toEqual(['ADDED a/1=blue @4']);
  });

  test('a watch from the revision of a bookmark misses nothing and repeats nothing', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    const first = subscribe(view);
    await paint(store, 'a/1', 'blue');
    await read(first, 1);
    first.requestBookmark();
    await first.next();
    const bookmark = first.revision;
    first.close();
    await paint(store, 'a/1', 'red');
    expect(await read(subscribe(view, { after: bookmark }), 1)).toEqual(['MODIFIED a/1=red @3']);
  });
});

describe('slow watchers', () => {
  test('one whose queue is full reads from the window, without loss', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store, { queueEventsMax: 3 });
    const slow = subscribe(view);
    slow.requestBookmark();
    await slow.next();
    for (let at = 0; at < 20; at += 1) await paintSeen(view, store, 'a/1', `shade ${at}`);
    expect(slow.revision).toBe(1);
    const lines = await read(slow, 20);
    expect(lines).toEqual(
      Array.from({ length: 20 }, (_, at) => `${at === 0 ? 'ADDED' : 'MODIFIED'} a/1=shade ${at} @${at + 2}`),
    );
    await paint(store, 'a/1', 'blue');
    expect(await read(slow, 1)).toEqual(['MODIFIED a/1=blue @22']);
  });

  test('one that falls out of the window expires', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store, { queueEventsMax: 3, windowEventsMax: 5 });
    const slow = subscribe(view);
    slow.requestBookmark();
    await slow.next();
    for (let at = 0; at < 20; at += 1) await paintSeen(view, store, 'a/1', `shade ${at}`);
    await expect(slow.next()).rejects.toEqual(
      new ViewError('expired', { requested: 1, oldest: 16, current: 21 }),
    );
    expect(await slow.next().catch((error: ViewError) => error.code)).toBe('expired');
  });

  test('one to whom nothing happened for long does not expire when much happens at once', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store, { queueEventsMax: 3, windowEventsMax: 5 });
    const quiet = subscribe(view, { scope: inA });
    quiet.requestBookmark();
    await quiet.next();
    for (let at = 0; at < 20; at += 1) await paintSeen(view, store, 'b/1', `shade ${at}`);
    for (let at = 0; at < 4; at += 1) await paintSeen(view, store, 'a/1', `shade ${at}`);
    expect((await read(quiet, 4)).length).toBe(4);
  });
});

describe('ends', () => {
  test('leaving the loop closes the subscription', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    const subscription = subscribe(view, { after: 1 });
    await paint(store, 'a/1', 'blue');
    for await (const _ of subscription) break;
    expect(view.subscriptions).toBe(0);
  });

  test('a signal ends it, also one that was given before', async () => {
    await using view = await readyWidgets(createMemoryStore());
    const abort = new AbortController();
    const waiting = subscribe(view, { signal: abort.signal }).next();
    abort.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await subscribe(view, { signal: abort.signal }).next()).toEqual({ done: true, value: undefined });
    expect(view.subscriptions).toBe(0);
  });

  test('a matcher that throws ends its own subscription and no other', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    const broken = subscribe(view, {
      matches: () => {
        throw new Error('conversion failed');
      },
    });
    const [failure, healthy] = [broken.next(), read(subscribe(view), 1)];
    await paint(store, 'a/1', 'blue');
    await expect(failure).rejects.toThrow('conversion failed');
    expect(await healthy).toEqual(['ADDED a/1=blue @2']);
  });

  test('a prefix that is not a folder is a bug of the caller', async () => {
    await using view = await readyWidgets(createMemoryStore());
    const scope = { kind: 'prefix', prefix: `${prefix}a` } as const;
    expect(() => subscribe(view, { scope })).toThrow('the prefix of a scope ends in a slash');
    expect(prefixRange(`${prefix}a/`).end).toBe(`${prefix}a0`);
  });
});
