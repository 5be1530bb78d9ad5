import { describe, expect, test } from 'vitest';
import { createMemoryStore, StoreError } from '../storage/index.ts';
import {
  color,
  openWidgets,
  paint,
  prefix,
  read,
  readyWidgets,
  storeWithCutter,
  subscribe,
  writeElsewhere,
} from './widgets.test-support.ts';
import { ViewError } from './index.ts';

const soon = { timeoutMs: 5_000 };

describe('reading', () => {
  test('get, range, count and size see what was written, after a wait for its revision', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    await paint(store, 'b/1', 'green');
    await paint(store, 'a/2', 'red');
    const revision = await paint(store, 'a/1', 'blue');
    await view.atLeast(revision, soon);
    const now = view.snapshot();
    const inA = { start: `${prefix}a/`, end: `${prefix}a0` };
    expect(color(view.get(`${prefix}a/1`))).toBe('blue');
    expect([...now.range(inA)].map(color)).toEqual(['blue', 'red']);
    expect([now.count(inA), now.size, now.revision]).toEqual([2, 3, revision]);
  });

  test('a snapshot does not move when the view does', async () => {
    const store = createMemoryStore();
    await paint(store, 'a/1', 'blue');
    await using view = await readyWidgets(store);
    const before = view.snapshot();
    await view.atLeast(await paint(store, 'a/1', 'red'), soon);
    await view.atLeast(await paint(store, 'a/2', 'red'), soon);
    expect([color(before.get(`${prefix}a/1`)), before.size]).toEqual(['blue', 1]);
    expect([color(view.get(`${prefix}a/1`)), view.snapshot().size]).toEqual(['red', 2]);
  });

  test('what the room above keeps on an entry stays until the object is written', async () => {
    const store = createMemoryStore();
    await paint(store, 'a/1', 'blue');
    await using view = await readyWidgets(store);
    const entry = view.get(`${prefix}a/1`);
    if (entry !== undefined) entry.memo = 'parsed';
    await view.atLeast(await paint(store, 'a/2', 'red'), soon);
    expect(view.get(`${prefix}a/1`)?.memo).toBe('parsed');
    await view.atLeast(await paint(store, 'a/1', 'red'), soon);
    expect(view.get(`${prefix}a/1`)?.memo).toBeUndefined();
  });

  test('snapshotAt gives each state of the window exactly, and refuses what lies outside', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    for (const to of ['blue', 'red', null, 'green']) await paint(store, 'a/1', to);
    await view.atLeast(5, soon);
    const states = [1, 2, 3, 4, 5].map((revision) => color(view.snapshotAt(revision).get(`${prefix}a/1`)));
    expect(states).toEqual([undefined, 'blue', 'red', undefined, 'green']);
    expect(() => view.snapshotAt(0)).toThrow(
      new ViewError('expired', { requested: 0, oldest: 1, current: 5 }),
    );
    expect(() => view.snapshotAt(6)).toThrow(
      new ViewError('future', { requested: 6, oldest: 1, current: 5 }),
    );
  });
});

describe('freshness', () => {
  test('consistent sees every write that was acknowledged, also those of other resources', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    await paint(store, 'a/1', 'blue');
    await writeElsewhere(store);
    expect(await view.consistent(soon)).toBe(3);
    expect([view.revision, color(view.get(`${prefix}a/1`))]).toEqual([3, 'blue']);
  });

  test('a revision that does not come in time is a timeout that tells the current one', async () => {
    await using view = await readyWidgets(createMemoryStore());
    const wait = view.atLeast(9, { timeoutMs: 1 });
    await expect(wait).rejects.toEqual(new ViewError('timeout', { requested: 9, current: 1 }));
  });

  test('a signal ends a wait with its reason', async () => {
    await using view = await readyWidgets(createMemoryStore());
    const abort = new AbortController();
    const wait = view.atLeast(9, { signal: abort.signal });
    abort.abort(new Error('client gone'));
    await expect(wait).rejects.toThrow('client gone');
  });

  test('close ends waits and subscriptions; what was read can still be read', async () => {
    const store = createMemoryStore();
    await paint(store, 'a/1', 'blue');
    const view = await readyWidgets(store);
    const wait = expect(view.atLeast(9, {})).rejects.toMatchObject({ code: 'closed' });
    const subscription = subscribe(view);
    const reading = read(subscription, 1);
    await view.close();
    await wait;
    expect(await reading).toEqual([]);
    expect(await read(subscribe(view), 1)).toEqual([]);
    expect([view.subscriptions, color(view.get(`${prefix}a/1`))]).toEqual([0, 'blue']);
    await expect(view.consistent(soon)).rejects.toMatchObject({ code: 'closed' });
  });

  test('a store that is closed ends the view', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    const reading = read(subscribe(view), 1);
    await store.close();
    expect(await reading).toEqual([]);
  });
});

describe('start', () => {
  test('the past before the start is in the window, and ready means caught up', async () => {
    const store = createMemoryStore();
    for (const to of ['blue', 'red', 'green', 'white']) await paint(store, 'a/1', to);
    await using view = await readyWidgets(store, { warmRevisionsMax: 2 });
    expect([view.oldestRevision, view.revision]).toEqual([3, 5]);
    expect(color(view.snapshotAt(3).get(`${prefix}a/1`))).toBe('red');
    expect(await read(subscribe(view, { after: 3 }), 2)).toEqual([
      'MODIFIED a/1=green @4',
      'MODIFIED a/1=white @5',
    ]);
  });

  test('the window starts at the oldest revision that the store kept', async () => {
    const store = createMemoryStore();
    for (const to of ['blue', 'red', 'green', 'white']) await paint(store, 'a/1', to);
    await store.compact(4);
    await using view = await readyWidgets(store);
    expect([view.oldestRevision, view.revision]).toEqual([4, 5]);
  });

  test('a large resource is listed page by page at one revision', async () => {
    const store = createMemoryStore();
    for (let at = 0; at < 25; at += 1) await paint(store, `a/${at}`, 'blue');
    await using view = await readyWidgets(store, { listPageRecords: 10, warmRevisionsMax: 0 });
    expect(view.snapshot().size).toBe(25);
  });

  test('a subscription may be made before the view is ready', async () => {
    const store = createMemoryStore();
    await paint(store, 'a/1', 'blue');
    await using view = openWidgets(store);
    expect(await read(view.subscribe({ after: 1, scope: { kind: 'all' } }), 1)).toEqual([
      'ADDED a/1=blue @2',
    ]);
  });
});

describe('trouble', () => {
  const lost = new StoreError('unavailable', 'connection lost');

  test('a broken watch resumes: watchers do not notice', async () => {
    const { store, cut } = storeWithCutter();
    const troubles: unknown[] = [];
    await using view = await readyWidgets(store, { onTrouble: (error) => troubles.push(error) });
    const subscription = subscribe(view);
    await paint(store, 'a/1', 'blue');
    expect(await read(subscription, 1)).toEqual(['ADDED a/1=blue @2']);
    cut(lost);
    await paint(store, 'a/1', 'red');
    expect(await read(subscription, 1)).toEqual(['MODIFIED a/1=red @3']);
    expect(troubles[0]).toBe(lost);
  });

  test('after a gap the view lists again: readers continue, watchers that would miss events expire', async () => {
    const { store, cut } = storeWithCutter();
    await paint(store, 'a/1', 'blue');
    await paint(store, 'a/2', 'blue');
    await using view = await readyWidgets(store);
    const unchanged = view.get(`${prefix}a/2`);
    const waiting = read(subscribe(view), 1);
    const future = subscribe(view, { after: 6 });
    const futureEvents = read(future, 1);
    let reconnect = () => {};
    cut(lost, new Promise<void>((resolve) => (reconnect = resolve)));
    await paint(store, 'a/1', null);
    await paint(store, 'a/3', 'red');
    await paint(store, 'a/3', 'green');
    await store.compact(6);
    expect(color(view.get(`${prefix}a/1`))).toBe('blue');
    reconnect();
    await expect(waiting).rejects.toEqual(new ViewError('expired', { requested: 3, oldest: 6, current: 6 }));
    expect([...view.snapshot().range({ start: prefix, end: `${prefix}~` })].map(color)).toEqual([
      'blue',
      'green',
    ]);
    expect(view.get(`${prefix}a/2`)).toBe(unchanged);
    expect(() => view.snapshotAt(5)).toThrow(ViewError);
    await paint(store, 'a/2', 'red');
    expect(await futureEvents).toEqual(['MODIFIED a/2=red @7']);
  });

  test('a view whose store cannot be reached at first keeps trying', async () => {
    const real = createMemoryStore();
    await paint(real, 'a/1', 'blue');
    let refusals = 3;
    const { store } = storeWithCutter(real);
    const revision = () => (refusals-- > 0 ? Promise.reject(lost) : real.revision());
    await using view = await readyWidgets({ ...store, revision });
    expect(view.snapshot().size).toBe(1);
  });
});
