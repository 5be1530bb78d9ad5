import { expect, test } from 'vitest';
import { createMemoryStore } from '../storage/index.ts';
import { color, openWidgets, paint, prefix, read, readyWidgets, subscribe } from './widgets.test-support.ts';

const soon = { timeoutMs: 5_000 };

/** A view of a fork of the store, which starts with the state of another view. */
async function forked() {
  const store = createMemoryStore();
  await paint(store, 'a/1', 'blue');
  await paint(store, 'a/2', 'red');
  const view = await readyWidgets(store);
  const fork = store.fork();
  const start = { snapshot: view.snapshot(), current: await fork.revision() };
  return { store, view, fork, start };
}

test('a view that begins with a state reads nothing, and keeps what the room above had made', async () => {
  const { view, fork, start } = await forked();
  const entry = view.get(`${prefix}a/1`);
  if (entry !== undefined) entry.memo = 'parsed';
  const lists: unknown[] = [];
  const readStore = fork.list.bind(fork);
  const list: typeof fork.list = (...wanted) => {
    lists.push(wanted);
    return readStore(...wanted);
  };
  await using other = openWidgets(Object.assign(fork, { list }), { start });
  expect(color(other.get(`${prefix}a/2`))).toBe('red');
  await other.ready(soon);
  await other.atLeast(await paint(fork, 'a/3', 'green'), soon);
  expect(other.get(`${prefix}a/1`)?.memo).toBe('parsed');
  expect(other.snapshot().size).toBe(3);
  expect(lists).toEqual([]);
  await view.close();
});

test('neither view sees the notifications of the other one', async () => {
  const { store, view, fork, start } = await forked();
  await using other = openWidgets(fork, { start });
  await other.atLeast(await paint(fork, 'a/1', 'fork'), soon);
  await view.atLeast(await paint(store, 'a/1', 'parent'), soon);
  await other.atLeast(await paint(fork, 'a/2', null), soon);
  expect([color(other.get(`${prefix}a/1`)), other.snapshot().size]).toEqual(['fork', 1]);
  expect([color(view.get(`${prefix}a/1`)), view.snapshot().size]).toEqual(['parent', 2]);
  await view.close();
});

test('what was written after the state and before the fork comes up, to watchers too', async () => {
  const { store, view, start } = await forked();
  await paint(store, 'a/1', 'late');
  const fork = store.fork();
  await using other = openWidgets(fork, { start: { ...start, current: await fork.revision() } });
  const events = read(subscribe(other, { after: start.snapshot.revision }), 1);
  await other.ready(soon);
  expect(color(other.get(`${prefix}a/1`))).toBe('late');
  expect(await events).toEqual(['MODIFIED a/1=late @4']);
  await view.close();
});

test('a watch from before the state is served from the past of the storage', async () => {
  const { view, fork, start } = await forked();
  await using other = openWidgets(fork, { start });
  expect(await read(subscribe(other, { after: 1 }), 2)).toEqual(['ADDED a/1=blue @2', 'ADDED a/2=red @3']);
  await view.close();
});

test('a compacted state is loaded again', async () => {
  const { store, view, start } = await forked();
  await paint(store, 'a/3', 'green');
  await paint(store, 'a/4', 'green');
  const fork = store.fork();
  await fork.compact(5);
  await using other = openWidgets(fork, { start: { ...start, current: 5 } });
  await other.ready(soon);
  expect(other.snapshot().size).toBe(4);
  await view.close();
});

test('others have their turn while a view reads a large range, and then what happened since', async () => {
  const store = createMemoryStore();
  const count = 3_000;
  for (let at = 0; at < count; at += 1) await paint(store, `a/${at}`, 'blue');
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  // The list starts before all writes, so that they come as events; then a complete list, in pages.
  for (const warmRevisionsMax of [count + 10, 0]) {
    turns = 0;
    isOver = false;
    setImmediate(turn);
    await using view = openWidgets(store, { listPageRecords: 500, warmRevisionsMax });
    await view.ready(soon);
    isOver = true;
    expect(view.snapshot().size).toBe(count);
    expect(turns).toBeGreaterThan(3);
  }
});
