import { describe, expect, test } from 'vitest';
import { createMemoryStore, type Store, StoreError } from '../../storage/index.ts';
import { storeWithCutter } from '../widgets.test-support.ts';
import { bucketOf, type LiveView, planQuery, type Query, type Snapshot, type ViewEntry } from '../index.ts';
import { everywhere, nameOf, put, readyIndexedWidgets, widgetIndexes } from '../widgets.test-support.ts';

const colors = ['blue', 'green', 'red', 'white'];

/** This many widgets, every fourth of them blue. */
async function stocked(store: Store, count = 200): Promise<Store> {
  for (let at = 0; at < count; at += 1) {
    await put(store, `a/${String(at).padStart(3, '0')}`, { color: colors[at % 4] ?? '' });
  }
  return store;
}

const found = (snapshot: Snapshot<unknown>, query: Query<unknown>) => {
  const { kind, find } = planQuery(query, { snapshot, range: everywhere });
  return { kind, names: [...find()].map(nameOf) };
};
const is = (index: ReturnType<typeof widgetIndexes>['color'], ...buckets: string[]): Query<unknown> => ({
  kind: 'in',
  index,
  buckets,
});

/** One blue widget among many red ones. */
async function oneBlue(options: Parameters<typeof readyIndexedWidgets>[1] = {}) {
  const store = createMemoryStore();
  for (let at = 0; at < 100; at += 1)
    await put(store, `a/${String(at).padStart(3, '0')}`, { color: at === 50 ? 'blue' : 'red' });
  const view = await readyIndexedWidgets(store, options);
  return { store, view, ...widgetIndexes() };
}

const seen = async (view: LiveView<unknown>, revision: number) => {
  await view.atLeast(revision, {});
  return view.snapshot();
};

describe('indexes of a view', () => {
  test('are made when they are asked for; before, entries are found by looking at each', async () => {
    const { view, color } = await oneBlue();
    await using _ = view;
    expect(found(view.snapshot(), is(color, 'blue'))).toMatchObject({ kind: 'scan' });
    await view.prepareIndexes([color]);
    expect(found(view.snapshot(), is(color, 'blue'))).toEqual({ kind: 'index', names: ['a/050'] });
  });

  test('follow every write, and each snapshot keeps its own', async () => {
    const { store, view, color } = await oneBlue();
    await using _ = view;
    await view.prepareIndexes([color]);
    const before = view.snapshot();
    await put(store, 'a/010', { color: 'blue' });
    await put(store, 'a/050', null);
    const after = await seen(view, await put(store, 'b/new', { color: 'blue' }));
    expect(found(after, is(color, 'blue')).names).toEqual(['a/010', 'b/new']);
    expect(found(before, is(color, 'blue')).names).toEqual(['a/050']);
    expect(found(view.snapshotAt(before.revision + 1), is(color, 'blue'))).toEqual({
      kind: 'index',
      names: ['a/010', 'a/050'],
    });
  });

  test('a value is read once for all fields, and not again while the object stays the same', async () => {
    const { view, color, size, reads } = await oneBlue();
    await using _ = view;
    await view.prepareIndexes([color, size]);
    await view.prepareIndexes([color]);
    expect(reads).toEqual({ fields: 100, labels: 0 });
  });

  test('many who ask at once have each made once', async () => {
    const { view, color, reads } = await oneBlue();
    await using _ = view;
    await Promise.all(Array.from({ length: 20 }, () => view.prepareIndexes([color])));
    expect(reads.fields).toBe(100);
    expect(found(view.snapshot(), is(color, 'blue')).kind).toBe('index');
  });

  test('writes go on while one is made, and are in it', async () => {
    const store = await stocked(createMemoryStore(), 2_000);
    const { color } = widgetIndexes();
    await using view = await readyIndexedWidgets(store);
    const made = view.prepareIndexes([color]);
    await new Promise((resolve) => setImmediate(resolve));
    await put(store, 'a/000', { color: 'pink' });
    await put(store, 'a/1999', { color: 'pink' });
    const revision = await put(store, 'a/0001', { color: 'pink' });
    await made;
    const snapshot = await seen(view, revision);
    expect(found(snapshot, is(color, 'pink'))).toEqual({
      kind: 'index',
      names: ['a/000', 'a/0001', 'a/1999'],
    });
  });

  test('a few entries are not worth one', async () => {
    const { view, color } = await oneBlue({ indexedEntriesMin: 101 });
    await using _ = view;
    await view.prepareIndexes([color]);
    expect(found(view.snapshot(), is(color, 'blue')).kind).toBe('scan');
  });

  test('dropped ones are gone, with what entries kept for them; others can be made', async () => {
    const { view, color, reads } = await oneBlue();
    await using _ = view;
    await view.prepareIndexes([color]);
    view.dropIndexes();
    expect(found(view.snapshot(), is(color, 'blue')).kind).toBe('scan');
    const next = widgetIndexes();
    await view.prepareIndexes([next.color]);
    expect(found(view.snapshot(), is(next.color, 'blue')).kind).toBe('index');
    expect([reads.fields, next.reads.fields]).toEqual([100, 100]);
  });

  test('dropped while they are made, they never appear', async () => {
    const store = await stocked(createMemoryStore(), 600);
    const { color } = widgetIndexes();
    await using view = await readyIndexedWidgets(store);
    const made = view.prepareIndexes([color]);
    await new Promise((resolve) => setImmediate(resolve));
    view.dropIndexes();
    await made;
    expect(view.snapshot().index(color)).toBeUndefined();
  });

  test('of labels, those not asked for longest go; declared ones stay', async () => {
    const { view, color, label } = await oneBlue({ undeclaredIndexesMax: 2 });
    await using _ = view;
    await view.prepareIndexes([color]);
    for (const key of ['a', 'b']) await view.prepareIndexes([label(key)]);
    await view.prepareIndexes([label('a')]);
    await view.prepareIndexes([label('c')]);
    const kept = [color, label('a'), label('b'), label('c')].map(
      (index) => view.snapshot().index(index) !== undefined,
    );
    expect(kept).toEqual([true, true, false, true]);
  });

  test('an entry that cannot be read is not missed: everything is looked at until it is gone', async () => {
    const { store, view, color } = await oneBlue();
    await using _ = view;
    await view.prepareIndexes([color]);
    const broken = await seen(view, await put(store, 'a/050', 'no JSON'));
    expect(found(broken, is(color, 'blue'))).toMatchObject({ kind: 'scan', names: { length: 100 } });
    const mended = await seen(view, await put(store, 'a/050', { color: 'blue' }));
    expect(found(mended, is(color, 'blue'))).toEqual({ kind: 'index', names: ['a/050'] });
  });

  test('after a gap in the storage log they are rebuilt', async () => {
    const { store, cut } = storeWithCutter(await stocked(createMemoryStore(), 100));
    const { color } = widgetIndexes();
    await using view = await readyIndexedWidgets(store);
    await view.prepareIndexes([color]);
    let go = () => {};
    cut(new StoreError('unavailable', 'connection lost'), new Promise((resolve) => (go = resolve)));
    for (const color of ['grey', 'black']) await put(store, 'a/000', { color });
    const revision = await put(store, 'a/000', { color: 'pink' });
    await store.compact(revision);
    go();
    const snapshot = await seen(view, revision);
    expect(snapshot.index(color)).toBeUndefined();
    await view.prepareIndexes([color]);
    expect(found(view.snapshot(), is(color, 'pink'))).toEqual({ kind: 'index', names: ['a/000'] });
  });

  test('a past beyond 4,096 changes has none, and is looked through', async () => {
    const { store, view, color } = await oneBlue();
    await using _ = view;
    await view.prepareIndexes([color]);
    const { revision } = view.snapshot();
    let last = revision;
    for (let at = 0; at < 4_200; at += 1)
      last = await put(store, 'a/010', { color: at % 2 ? 'red' : 'blue' });
    await seen(view, last);
    expect(found(view.snapshotAt(revision), is(color, 'blue')).kind).toBe('scan');
    expect(found(view.snapshotAt(revision + 201), is(color, 'blue'))).toEqual({
      kind: 'index',
      names: ['a/010', 'a/050'],
    });
  });

  test('values of any kind are values: long ones, empty ones, __proto__', async () => {
    const { store, view, color } = await oneBlue();
    await using _ = view;
    await view.prepareIndexes([color]);
    const long = 'x'.repeat(100_000);
    const odd = ['', '__proto__', 'constructor', long, `${long}y`, '\0absent', '\u{1F600}', 'a\nb'];
    let last = 0;
    for (const [at, value] of odd.entries()) last = await put(store, `c/${at}`, { color: value });
    const snapshot = await seen(view, last);
    for (const [at, value] of odd.entries()) {
      const expected = { kind: 'index', names: [`c/${at}`] };
      expect(found(snapshot, is(color, bucketOf(value)))).toEqual(expected);
    }
    const kept = (entry: ViewEntry<unknown>) => String(color.bucketsOf(entry)).length;
    expect(Math.max(...[...snapshot.all()].map(kept))).toBeLessThan(65);
  });
});
