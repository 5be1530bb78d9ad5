import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../storage/index.ts';
import { planQuery, prepareTests, type Query, textOfBucket } from '../index.ts';
import {
  everywhere,
  nameOf,
  prefix,
  put,
  readyIndexedWidgets,
  widgetIndexes,
} from '../widgets.test-support.ts';

const number = (at: number) => String(at).padStart(3, '0');

/** 1,000 widgets: 10 blue, 40 green, the others red; every 2nd is large; 100 in `b/`; `app` on every 10th. */
async function shop() {
  const store = createMemoryStore();
  const made = widgetIndexes();
  for (let at = 0; at < 1_000; at += 1) {
    await put(store, `${at % 10 === 0 ? 'b' : 'a'}/${number(at)}`, {
      color: at < 10 ? 'blue' : at < 50 ? 'green' : 'red',
      size: at % 2 === 0 ? 'L' : 'S',
      tags: at < 5 ? ['new', `n${at}`] : ['old'],
      ...(at % 10 === 0 ? { labels: { app: 'web' } } : {}),
    });
  }
  const view = await readyIndexedWidgets(store);
  const app = made.label('app');
  await view.prepareIndexes([made.color, made.size, made.tags, app]);
  return { ...made, app, view, snapshot: view.snapshot() };
}
type Shop = Awaited<ReturnType<typeof shop>>;
type Widgets = Query<unknown>;

const is = (index: Shop['app'], ...buckets: string[]): Widgets => ({ kind: 'in', index, buckets });
const not = (index: Shop['app'], ...buckets: string[]): Widgets => ({ kind: 'notIn', index, buckets });
const and = (...of: Widgets[]): Widgets => ({ kind: 'and', of });
const or = (...of: Widgets[]): Widgets => ({ kind: 'or', of });

const b = { start: `${prefix}b/`, end: `${prefix}b0` };

describe('index or scan', async () => {
  const { color, size, tags, app, snapshot } = await shop();
  const unknown: Widgets = { kind: 'anything', why: 'metadata.name!=a' };
  const test5: Widgets = {
    kind: 'where',
    index: tags,
    what: "startsWith('n')",
    test: (bucket) => textOfBucket(bucket)?.startsWith('n') !== false,
  };

  test.each<[string, Widgets]>([
    ['index: color=blue (10 of 1000)', is(color, 'blue')],
    ['index: color=pink (0 of 1000)', is(color, 'pink')],
    ['index: color in (blue,green) (50 of 1000)', is(color, 'blue', 'green')],
    ['index: color in (1,2,3,... 2 more) (0 of 1000)', is(color, '1', '2', '3', '4', '5')],
    ['index: color= (0 of 1000)', is(color, '')],
    ['scan: 1000 (color=red finds 950)', is(color, 'red')],
    ['scan: 1000 (color!=blue finds 990)', not(color, 'blue')],
    ['index: color!=red (50 of 1000)', not(color, 'red')],
    ['index: color notin (red,green) (10 of 1000)', not(color, 'red', 'green')],
    ['index: label app=web (100 of 1000)', is(app, 'web')],
    ['index: color=blue (10 of 1000)', and(is(size, 'L'), is(color, 'blue'))],
    ['index: color=green and label app=web (40 of 1000)', and(is(app, 'web'), is(color, 'green'))],
    ['index: color=blue (10 of 1000)', and(unknown, is(color, 'blue'))],
    ['index: (color=blue or label app=web) (110 of 1000)', or(is(color, 'blue'), is(app, 'web'))],
    ['scan: 1000 (metadata.name!=a)', or(is(color, 'blue'), unknown)],
    ['scan: 1000 (metadata.name!=a)', unknown],
    ["index: tags[*] startsWith('n') (10 of 1000)", test5],
    ['index: nothing (0 of 1000)', { kind: 'nothing' }],
  ])('%s', (text, query) => {
    expect(planQuery(query, { snapshot, range: everywhere }).text).toBe(text);
  });

  test('counts are those of the range', () => {
    expect(planQuery(is(color, 'blue'), { snapshot, range: b }).text).toBe('index: color=blue (1 of 100)');
    const one = { start: `${prefix}b/000`, end: `${prefix}b/010\0` };
    expect(planQuery(is(color, 'blue'), { snapshot, range: one }).text).toBe('scan: 2 (few objects)');
  });

  test('what is found is in key order, each once, and begins where the range does', () => {
    const names = (query: Widgets, range = everywhere) =>
      [...planQuery(query, { snapshot, range: range }).find()].map(nameOf);
    const few = or(is(tags, 'new', 'n1'), is(color, 'blue'));
    const blue = ['a/001', 'a/002', 'a/003', 'a/004', 'a/005', 'a/006', 'a/007', 'a/008', 'a/009', 'b/000'];
    expect(names(few)).toEqual(blue);
    expect(names(few, { start: `${prefix}a/007`, end: everywhere.end })).toEqual(blue.slice(6));
    expect(names(and(few, is(app, 'web')))).toEqual(['b/000']);
    expect(names(test5)).toEqual(['a/001', 'a/002', 'a/003', 'a/004', 'b/000']);
  });

  test('a text fits into a header, whatever the values are', () => {
    const { text } = planQuery(is(color, 'a\r\nSet-Cookie: x', '\u00e9"'), { snapshot, range: everywhere });
    expect(text).toBe('index: color in (a\\r\\nSet-Cookie: x,\\u00e9\\") (0 of 1000)');
  });
});

test('values are not tried one by one where nearly each entry has its own', async () => {
  const store = createMemoryStore();
  const { color } = widgetIndexes();
  for (let at = 0; at < 5_000; at += 1) await put(store, `a/${at}`, { color: `c${at}` });
  await using view = await readyIndexedWidgets(store);
  await view.prepareIndexes([color]);
  const plan = (query: Widgets) => planQuery(query, { snapshot: view.snapshot(), range: everywhere }).text;
  expect(plan(not(color, 'c1'))).toBe('scan: 5000 (no index tells)');
  expect(plan(is(color, 'c1'))).toBe('index: color=c1 (1 of 5000)');
});

describe('tests of values', async () => {
  const { tags, snapshot } = await shop();
  const counted = () => {
    const tried = new Map<string, boolean>();
    const counts = { evaluations: 0 };
    const test = (bucket: string) => {
      const known = tried.get(bucket);
      if (known !== undefined) return known;
      counts.evaluations += 1;
      const holds = textOfBucket(bucket) === 'new';
      tried.set(bucket, holds);
      return holds;
    };
    const query: Widgets = { kind: 'or', of: [{ kind: 'where', index: tags, what: '== new', test }] };
    return { counts, query };
  };
  const distinct = 7;

  test('are made in steps, one for each value, and not again by the plan', () => {
    const { counts, query } = counted();
    const space = { snapshot, range: everywhere };
    expect([...prepareTests(query, space)].length).toBe(distinct);
    expect(counts.evaluations).toBe(distinct);
    expect(planQuery(query, space).text).toBe('index: tags[*] == new (5 of 1000)');
    expect(counts.evaluations).toBe(distinct);
  });

  test.each([
    ['they are more than may be paid for', { range: everywhere, testsMax: distinct - 1 }],
    ['few objects are looked at anyway', { range: { start: `${prefix}b/000`, end: `${prefix}b/010\0` } }],
  ])('are not made where %s', (_, space) => {
    const { counts, query } = counted();
    expect([...prepareTests(query, { snapshot, ...space })]).toEqual([]);
    expect(planQuery(query, { snapshot, ...space }).kind).toBe('scan');
    expect(counts.evaluations).toBe(0);
  });
});
