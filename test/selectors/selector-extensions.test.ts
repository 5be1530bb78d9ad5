import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import {
  type Query,
  queryText,
  selectableWidgetCrd,
  WidgetServer,
  selectableVersion,
} from '../fixtures/selectable-widgets.ts';
import { widget } from '../fixtures/widgets.ts';

const crds = [
  selectableWidgetCrd(
    selectableVersion('v1', [
      '.spec.color',
      '.spec.size',
      '.spec.count',
      '.spec.sold',
      '.spec.ports[*].name',
      '.spec.ports[*].port',
      '.spec.tags[*]',
    ]),
  ),
];

const ports = (...names: string[]): JsonObject[] => names.map((name, at) => ({ name, port: 80 + at }));

async function furnished(selectors: JsonObject = {}): Promise<WidgetServer> {
  const shop = await WidgetServer.open({ crds, selectors });
  await shop.stock();
  await shop.create(widget('widget1', { color: 'blue', size: 'S', count: 1, ports: ports('http') }));
  await shop.create(widget('widget2', { color: 'blue', count: 20, ports: ports('http', 'https') }));
  await shop.create(widget('widget3', { color: 'green', size: 'L', sold: true, tags: ['new', 'hot'] }));
  return shop;
}

const opened: WidgetServer[] = [];
const open = async (selectors: JsonObject = {}) => {
  const shop = await furnished(selectors);
  opened.push(shop);
  return shop;
};
afterEach(async () => {
  for (const shop of opened.splice(0)) await shop.close();
});

describe.each([true, false])('extensions, indexes %s', (indexes) => {
  let shop: WidgetServer;
  beforeAll(async () => {
    shop = await furnished({ indexes });
  });
  afterAll(() => shop.close());

  test.each<[string, string, readonly string[]]>([
    ['spec.color in (blue,green)', '', ['widget1', 'widget2', 'widget3']],
    ['spec.color notin (red)', '', ['widget1', 'widget2', 'widget3']],
    ['spec.color in (blue,green),spec.size!=L', '', ['widget1', 'widget2']],
    ['spec.count exists', '', ['widget1', 'widget2']],
    ['!spec.count,spec.color!=red', '', ['widget3']],
    ['spec.count in (1,20),spec.size in (S)', '', ['widget1']],
    ['metadata.name in (widget1,widget3)', '', ['widget1', 'widget3']],
    ['metadata.name notin (widget1),spec.color=blue', '', ['widget2']],
    ['spec.ports[*].name=https', '', ['widget2']],
    ['spec.ports[*].name in (http)', '', ['widget1', 'widget2']],
    ['spec.ports[*].name!=https,spec.color=blue', '', ['widget1']],
    ['spec.ports[*].port=81', '', ['widget2']],
    ['spec.ports[*].name exists', '', ['widget1', 'widget2']],
    ['spec.ports[*].name=,spec.color!=red', '', ['widget3']],
    ['spec.tags[*]=hot', '', ['widget3']],
    ['', "spec.color == 'blue'", ['widget1', 'widget2']],
    ['', "spec.color == 'green' || spec.count == 1", ['widget1', 'widget3']],
    ['', 'spec.count >= 1 && spec.count < 100', ['widget1', 'widget2']],
    ['', "spec.color.startsWith('b') && !has(spec.size)", []],
    ['', "spec.color.startsWith('b') && spec.size != 'S'", ['widget2']],
    ['', 'spec.sold', ['widget3']],
    ['', "'https' in spec.ports.name", ['widget2']],
    ['', 'spec.ports.port.exists(p, p > 80)', ['widget2']],
    ['', "metadata.name.matches('^widget[13]$')", ['widget1', 'widget3']],
    ['', "spec.color != 'red' && spec.color != spec.size", ['widget1', 'widget2', 'widget3']],
    ['', 'false', []],
    ['spec.size=S', "spec.color == 'blue'", ['widget1']],
  ])('%j and filter %j', async (fieldSelector, filter, names) => {
    expect(await shop.names({ fieldSelector, filter })).toEqual(names);
  });

  test.each<[Query, string]>([
    [{ filter: 'spec.colour == 1' }, 'invalid filter: ERROR: <input>:1:5: undefined field'],
    [{ filter: 'spec.count' }, 'invalid filter: must evaluate to a bool'],
    [{ filter: '(' }, 'invalid filter: ERROR: <input>:1:2: Syntax error'],
    [{ fieldSelector: 'spec.note in (a)' }, 'field label not supported: spec.note'],
    [{ fieldSelector: '!spec.note' }, 'field label not supported: spec.note'],
    [{ fieldSelector: 'spec.color' }, "invalid selector: 'spec.color'; can't understand 'spec.color'"],
    [{ fieldSelector: 'spec.ports.name=a' }, 'field label not supported: spec.ports.name'],
  ])('%j is refused, by lists, watches and deletecollection', async (query, text) => {
    expect(await shop.names(query)).toContain(`400 ${text}`);
    await expect(shop.watch(query)).rejects.toThrow(text);
    const path = `${WidgetServer.path()}?${queryText(query)}`;
    expect((await shop.call('DELETE', path)).code).toBe(400);
  });

  test.each<Query>([
    { fieldSelector: 'spec.color in (blue,pink)' },
    { fieldSelector: 'spec.tags[*] in (x,y)' },
    { filter: "spec.color == 'blue' || 'y' in spec.tags" },
    { filter: "spec.tags.exists(t, t == 'x' || t == 'y') || spec.color in ['blue']" },
  ])('a watch by %j hears of what comes and goes', async (query) => {
    const stream = await shop.watch({ ...query, resourceVersion: (await shop.list({})).revision });
    const told = stream.take(3);
    const name = `watched-${JSON.stringify(query).length}-${indexes}`;
    await new Promise((resolve) => setTimeout(resolve, 20));
    await shop.create(widget(name, { color: 'red', tags: ['z'] }));
    await shop.patch(name, { spec: { color: 'blue', tags: ['x', 'y'] } });
    await shop.patch(name, { spec: { tags: ['y'], color: 'blue' } });
    await shop.call('DELETE', `${WidgetServer.path()}/${name}`);
    expect((await told).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      `ADDED ${name}`,
      `MODIFIED ${name}`,
      `DELETED ${name}`,
    ]);
  });
});

describe('plans', () => {
  let shop: WidgetServer;
  beforeAll(async () => {
    shop = await furnished();
  });
  afterAll(() => shop.close());

  test.each<[Query, string]>([
    [{ fieldSelector: 'spec.color in (blue,green)' }, 'index: spec.color in (blue,green) (3 of 153)'],
    [{ fieldSelector: 'spec.count exists' }, 'index: spec.count!= (2 of 153)'],
    [{ fieldSelector: 'spec.ports[*].name=https' }, 'index: spec.ports[*].name=https (1 of 153)'],
    [{ filter: "spec.color == 'blue'" }, 'index: spec.color=blue (2 of 153)'],
    [
      { filter: "spec.color == 'blue' || spec.color == 'green'" },
      'index: spec.color in (blue,green) (3 of 153)',
    ],
    [{ filter: 'spec.count > 5' }, 'index: spec.count meets the filter (1 of 153)'],
    [{ filter: 'spec.color == spec.size' }, 'scan: 153 (filter compares spec.color with spec.size)'],
    [{ filter: "spec.color == spec.size && 'hot' in spec.tags" }, 'index: spec.tags[*]=hot (1 of 153)'],
  ])('%j: %s', async (query, plan) => expect((await shop.list(query)).plan).toBe(plan));

  test('pages of a filter are exact', async () => {
    const query = { filter: 'has(spec.count) || spec.sold', limit: 2 };
    const first = await shop.list(query);
    const second = await shop.list({ ...query, continue: first.continue });
    expect([first.names, second.names]).toEqual([['widget1', 'widget2'], ['widget3']]);
    expect(second.continue).toBe('');
  });

  test('what would cost too much is refused with its plan; with an index that tells, it is not', async () => {
    const wide = await WidgetServer.open({ crds });
    opened.push(wide);
    await wide.stock(1_150);
    await wide.create(widget('widget3', { color: 'green' }));
    const list = `[${Array.from({ length: 36 }, (_, at) => at).join(',')}]`;
    const costly = `${list}.all(a, ${list}.all(b, a + b >= 0))`;
    const refused = await wide.list({ filter: `${costly} && spec.color == spec.size` });
    expect(refused).toMatchObject({
      code: 400,
      names: expect.stringMatching(
        /^filter is too expensive: \d+ of at most 10000000; the plan is scan: 1151 \(filter compares spec.color with spec.size\); compare selectable fields/,
      ),
    });
    await expect(wide.watch({ filter: `${costly} && spec.color == spec.size` })).rejects.toThrow(
      'filter is too expensive',
    );
    expect(await wide.names({ filter: `${costly} && spec.color == 'green'` })).toEqual(['widget3']);
  });
});

test('a filter that takes too long ends the list, and a deletecollection before it begins', async () => {
  let nowMs = Date.UTC(2026, 0, 1);
  let stepMs = 0;
  const shop = await WidgetServer.open({ crds, clock: { now: () => (nowMs += stepMs) } });
  opened.push(shop);
  await shop.create(widget('widget1', { color: 'blue' }));
  const list = `[${Array.from({ length: 40 }, (_, at) => at)}]`;
  const filter = `${list}.all(n, n >= 0) && spec.color == spec.color`;
  stepMs = 6_000;
  const late = '504 Timeout: the filter took longer than 5000 ms';
  expect(await shop.names({ filter })).toBe(late);
  const path = `${WidgetServer.path()}?filter=${encodeURIComponent(filter)}`;
  expect((await shop.call('DELETE', path)).code).toBe(504);
  stepMs = 0;
  expect(await shop.names({ filter })).toEqual(['widget1']);
});

test('deletecollection deletes what a filter selects, and nothing else', async () => {
  const shop = await open();
  const path = `${WidgetServer.path()}?filter=${encodeURIComponent("spec.color == 'blue' && spec.count > 5")}`;
  expect((await shop.call('DELETE', path)).code).toBe(200);
  expect(await shop.names({ fieldSelector: 'spec.color in (blue,green)' })).toEqual(['widget1', 'widget3']);
});

describe('switched off', () => {
  test('set-based conditions are refused as Kubernetes refuses them', async () => {
    const shop = await open({ setBasedFieldSelectors: false });
    expect(await shop.names({ fieldSelector: 'spec.color in (a,b)' })).toBe(
      "400 invalid selector: 'spec.color in (a,b)'; can't understand 'b)'",
    );
  });

  test('filters are refused: no list or deletecollection goes without', async () => {
    const shop = await open({ celFilters: false });
    expect(await shop.names({ filter: 'true' })).toBe('400 filter is not supported by this server');
    expect((await shop.call('DELETE', `${WidgetServer.path()}?filter=false`)).code).toBe(400);
    expect(await shop.names({ fieldSelector: 'spec.color!=red' })).toHaveLength(3);
  });

  test('paths through lists are refused, and not served where a CRD has them already', async () => {
    await expect(WidgetServer.open({ crds, selectors: { selectableArrayPaths: false } })).rejects.toThrow(
      'array notation is not allowed',
    );
  });

  test('the number of selectable fields is a setting', async () => {
    await expect(WidgetServer.open({ crds, selectors: { selectableFieldsMax: 6 } })).rejects.toThrow(
      'Too many: 7: must have at most 6 items',
    );
  });
});
