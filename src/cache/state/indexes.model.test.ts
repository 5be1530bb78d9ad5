import { expect, test } from 'vitest';
import { createMemoryStore, StoreError } from '../../storage/index.ts';
import { storeWithCutter } from '../widgets.test-support.ts';
import {
  bucketOf,
  type LiveView,
  planQuery,
  type Query,
  type Subscription,
  textOfBucket,
  IndexedValues,
} from '../index.ts';
import type { Scope } from '../dispatch/scope.ts';
import { type Random, randomFrom } from '../random.test-support.ts';
import {
  everywhere,
  nameOf,
  prefix,
  put,
  readyIndexedWidgets,
  type WidgetContent,
  widgetIndexes,
} from '../widgets.test-support.ts';

const long = 'x'.repeat(200);
const colors = ['', 'blue', 'green', 'red', '__proto__', long] as const;
const sizes = ['', 'S', 'M', 'L'] as const;
const tags = ['new', 'old', 'hot'] as const;
const apps = ['web', 'db', ''] as const;

type Indexes = ReturnType<typeof widgetIndexes>;
type State = ReadonlyMap<string, WidgetContent>;

/** A question, as a query and as a plain function: the model. */
interface Question {
  readonly query: Query<unknown>;
  readonly holds: (widget: WidgetContent) => boolean;
}

const fieldsOf = {
  color: ({ color }: WidgetContent) => [color ?? ''],
  size: ({ size }: WidgetContent) => [size ?? ''],
  tags: (widget: WidgetContent) => (widget.tags?.length ? widget.tags : ['']),
  app: ({ labels }: WidgetContent) => [labels?.['app']],
};

function randomQuestion(random: Random, indexes: Indexes, depth = 2): Question {
  const kind = random.of(['in', 'in', 'in', 'notIn', 'where', 'and', 'and', 'or', 'anything']);
  if ((kind === 'and' || kind === 'or') && depth > 0) {
    const of = Array.from({ length: 1 + random.below(3) }, () => randomQuestion(random, indexes, depth - 1));
    const holds = (widget: WidgetContent) =>
      kind === 'and' ? of.every((one) => one.holds(widget)) : of.some((one) => one.holds(widget));
    return { query: { kind, of: of.map(({ query }) => query) }, holds };
  }
  if (kind === 'anything') return { query: { kind, why: 'random' }, holds: ({ size }) => size !== 'S' };
  const field = random.of(['color', 'color', 'size', 'tags', 'app']);
  const index = field === 'app' ? indexes.label('app') : indexes[field];
  const read = fieldsOf[field];
  const wanted = Array.from({ length: 1 + random.below(2) }, () =>
    random.of(field === 'color' ? colors : field === 'size' ? sizes : field === 'tags' ? tags : apps),
  );
  if (kind === 'where') {
    const test = (text: string | undefined) => text === undefined || text < 'h';
    const query: Query<unknown> = { kind, index, what: '< h', test: (bucket) => test(textOfBucket(bucket)) };
    // The test must return true for what it cannot decide: a long text, an absent label.
    return { query, holds: (widget) => read(widget).some((text) => test(text === long ? undefined : text)) };
  }
  const any = (widget: WidgetContent) =>
    read(widget).some((text) => text !== undefined && wanted.includes(text));
  const buckets = wanted.map(bucketOf);
  return kind === 'notIn'
    ? { query: { kind, index, buckets }, holds: (widget) => !any(widget) }
    : { query: { kind: 'in', index, buckets }, holds: any };
}

const randomWidget = (random: Random): WidgetContent => ({
  ...(random.below(5) === 0 ? {} : { color: random.of(colors) }),
  ...(random.below(3) === 0 ? {} : { size: random.of(sizes) }),
  tags: tags.filter(() => random.below(3) === 0),
  ...(random.below(3) === 0 ? { labels: { app: random.of(apps) } } : {}),
});

const scopes: readonly [Scope, ...Scope[]] = [
  { kind: 'all' },
  { kind: 'prefix', prefix },
  { kind: 'prefix', prefix: `${prefix}a/` },
];

/** Two watchers of the same entries, one found by its value, one by its scope; both must get the same events. */
class Pair {
  readonly #subscriptions: readonly Subscription<unknown>[];
  readonly #told: string[][] = [[], []];

  constructor(view: LiveView<unknown>, random: Random, indexes: Indexes) {
    const scope = random.of(scopes);
    const field = random.of(['color', 'tags']);
    const values = field === 'color' ? [random.of(colors), random.of(colors)] : [random.of(tags)];
    const buckets = values.map(bucketOf);
    const index = indexes[field];
    const matches: Parameters<typeof view.subscribe>[0]['matches'] = (entry) =>
      [index.bucketsOf(entry) ?? []].flat().some((bucket) => buckets.includes(bucket));
    const options = { after: view.revision, scope, matches };
    this.#subscriptions = [
      view.subscribe({ ...options, indexedValues: new IndexedValues(index, buckets) }),
      view.subscribe(options),
    ];
    this.#subscriptions.forEach((subscription, at) => void this.#read(subscription, this.#told[at] ?? []));
  }

  async #read(subscription: Subscription<unknown>, told: string[]): Promise<void> {
    for await (const events of subscription)
      for (const { type, entry, revision } of events) told.push(`${type} ${nameOf(entry)} ${revision}`);
  }

  /** The number of events. */
  check(): number {
    expect(this.#told[0]).toEqual(this.#told[1]);
    for (const subscription of this.#subscriptions) subscription.close();
    return this.#told[0]?.length ?? 0;
  }
}

interface Tally {
  index: number;
  scan: number;
  found: number;
}

function ask(
  view: LiveView<unknown>,
  past: readonly State[],
  random: Random,
  indexes: Indexes,
  tally: Tally,
) {
  const newest = random.below(3) === 0;
  const revision = newest
    ? view.revision
    : view.revision - random.below(view.revision - view.oldestRevision + 1);
  const { query, holds } = randomQuestion(random, indexes);
  const namespace = random.of(['', '', 'a/', 'b/', 'a/3']);
  const range = {
    start: `${prefix}${namespace}`,
    end: namespace.endsWith('/') ? `${prefix}${namespace}~` : everywhere.end,
  };
  const state = past[revision] ?? new Map();
  const wanted = [...state.keys()]
    .filter((name) => `${prefix}${name}` >= range.start && `${prefix}${name}` < range.end)
    .sort()
    .filter((name) => holds(state.get(name) ?? {}));
  const plan = planQuery(query, { snapshot: view.snapshotAt(revision), range });
  const names = [...plan.find()].map(nameOf);
  const right = names.filter((name) => holds(state.get(name) ?? {}));
  expect([plan.text, right]).toEqual([plan.text, wanted]);
  expect(names).toEqual([...new Set(names)].sort());
  expect(names.length).toBeLessThanOrEqual(plan.entries);
  tally[plan.kind] += 1;
  tally.found += right.length;
}

async function run(seed: number) {
  const random = randomFrom(seed);
  const { store, cut } = storeWithCutter(createMemoryStore());
  const past: State[] = [new Map(), new Map()];
  const write = async () => {
    const next = new Map(past.at(-1));
    const name = `${random.of(['a', 'a', 'b', 'c'])}/${random.below(60)}`;
    const widget = next.has(name) && random.below(4) === 0 ? null : randomWidget(random);
    await put(store, name, widget);
    if (widget === null) next.delete(name);
    else next.set(name, widget);
    past.push(next);
  };
  for (let at = 0; at < 200; at += 1) await write();
  let indexes = widgetIndexes();
  await using view = await readyIndexedWidgets(store, { windowEventsMax: 300 });
  const prepare = () =>
    view.prepareIndexes([indexes.color, indexes.size, indexes.tags, indexes.label('app')]);
  let pairs = Array.from({ length: 6 }, () => new Pair(view, random, indexes));
  const tally = { index: 0, scan: 0, found: 0, events: 0 };
  const settle = async () => {
    await view.consistent({ timeoutMs: 10_000 });
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    for (const pair of pairs) tally.events += pair.check();
  };
  for (let at = 1; at <= 800; at += 1) {
    await write();
    if (at % 100 === 1) void prepare();
    // A schema change: the fields have another meaning from now on.
    if (at % 250 === 0) {
      view.dropIndexes();
      await settle();
      indexes = widgetIndexes();
      pairs = Array.from({ length: 6 }, () => new Pair(view, random, indexes));
    }
    if (random.below(100) === 0) cut(new StoreError('unavailable', 'connection lost'));
    if (random.below(3) === 0) await new Promise((resolve) => setImmediate(resolve));
    ask(view, past, random, indexes, tally);
  }
  await settle();
  return tally;
}

test.each([1, 2, 3, 4, 5, 6])(
  'what indexes find is what a filter finds, at every revision, seed %i',
  async (seed) => {
    const tally = await run(seed);
    expect(tally.index).toBeGreaterThan(100);
    expect(tally.scan).toBeGreaterThan(100);
    expect(tally.found).toBeGreaterThan(1_000);
    expect(tally.events).toBeGreaterThan(300);
  },
);
