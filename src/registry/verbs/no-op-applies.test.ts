import { describe, expect, test } from 'vitest';
import type { AdmissionPlugin } from '../../admission/index.ts';
import { type JsonObject, type KubeObject, limits, metadataOf, seededRandom } from '../../meta/index.ts';
import { type WidgetRequest, type WidgetType, widget, Widgets } from './widgets.test-support.ts';

const rowsSchema = (rows: JsonObject, rules: readonly JsonObject[] = []): JsonObject => ({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { rows: { type: 'integer', ...rows }, crop: { type: 'string' } },
      'x-kubernetes-validations': [...rules],
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
});

/** Widgets, and the number of updates that reached validation. */
function countedWidgets(
  type: WidgetType = { schema: rowsSchema({}), subresources: { status: {} } },
  plugins: readonly AdmissionPlugin[] = [],
) {
  const count = { updates: 0 };
  const widgets = new Widgets(type, plugins, () => {
    count.updates += 1;
  });
  return { widgets, count, [Symbol.asyncDispose]: () => widgets[Symbol.asyncDispose]() };
}

/** Handles every write. */
const watchful: AdmissionPlugin = { name: 'Watchful', handles: () => true };

const sown = (rows: number): KubeObject => widget('a', { spec: { rows } });

test('an apply that changed nothing is not computed again, and its answer stays the same to the byte', async () => {
  await using counted = countedWidgets();
  const { widgets, count } = counted;
  const first = await widgets.patch('apply', sown(3), 'a');
  expect(first.code).toBe(201);
  widgets.nowMs = 60_000;
  const second = await widgets.patch('apply', sown(3), 'a');
  expect(count.updates).toBe(1);
  for (let day = 1; day < 5; day += 1) {
    widgets.nowMs = day * 86_400_000;
    expect(await widgets.patch('apply', sown(3), 'a')).toEqual(second);
  }
  expect(count.updates).toBe(1);
  expect(second).toEqual({ ...first, code: 200 });
  expect(JSON.stringify(await widgets.get('a'))).toBe(JSON.stringify(second.body));
});

test('it gives the same warnings', async () => {
  await using counted = countedWidgets();
  const { widgets, count } = counted;
  const body =
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"rows":3,"rows":3}}';
  await widgets.patch('apply', body, 'a');
  for (let round = 0; round < 3; round += 1) {
    const { warnings } = await widgets.patch('apply', body, 'a');
    expect(warnings).toEqual(['line 1: key "rows" already set in map']);
  }
  expect(count.updates).toBe(1);
  const { warnings } = await widgets.patch('apply', body, 'a', { fieldValidation: 'Ignore' });
  expect(warnings).toEqual([]);
});

test('the warnings of an attempt that another writer overtook are not taken for those of the next', async () => {
  const body = { ...sown(3), metadata: { name: 'a', finalizers: ['plain'] } };
  const race = { on: false };
  const validate = async () => {
    if (!race.on) return;
    race.on = false;
    await widgets.patch('apply', body, 'a');
  };
  await using widgets = new Widgets({}, [{ name: 'Racer', handles: () => race.on, validate }]);
  await widgets.patch('apply', sown(3), 'a');
  race.on = true;
  const overtaken = await widgets.patch('apply', body, 'a');
  expect(overtaken.warnings).toEqual([
    'metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
  ]);
  for (let round = 0; round < 3; round += 1) {
    expect(await widgets.patch('apply', body, 'a')).toEqual({ ...overtaken, warnings: [] });
  }
});

describe('it is computed again when anything is different', () => {
  const changes: readonly [string, (widgets: Widgets) => Promise<unknown>][] = [
    ['the body', (widgets) => widgets.patch('apply', widget('a', { spec: { rows: 3, crop: 'peas' } }), 'a')],
    ['its spelling', (widgets) => widgets.patch('apply', `${JSON.stringify(sown(3))} `, 'a')],
    ['the manager', (widgets) => widgets.patch('apply', sown(3), 'a', { fieldManager: 'you' })],
    ['force', (widgets) => widgets.patch('apply', sown(3), 'a', { force: true })],
    [
      'the validation of fields',
      (widgets) => widgets.patch('apply', sown(3), 'a', { fieldValidation: 'Strict' }),
    ],
    ['dry run', (widgets) => widgets.patch('apply', sown(3), 'a', { dryRun: true })],
    [
      'the user, whom admission may ask for',
      (widgets) => widgets.patch('apply', sown(3), 'a', { user: 'you' }),
    ],
    ['the endpoint', (widgets) => widgets.patch('apply', sown(3), 'a', { endpoint: 'status' })],
    [
      'the object',
      async (widgets) => {
        await widgets.patch('merge', { spec: { crop: 'peas' } }, 'a', { fieldManager: 'you' });
        await widgets.patch('apply', sown(3), 'a');
      },
    ],
    [
      'the schema',
      async (widgets) => {
        widgets.become({ schema: rowsSchema({ maximum: 10 }), subresources: { status: {} } });
        await widgets.patch('apply', sown(3), 'a');
      },
    ],
  ];
  test.each(changes)('%s', async (_, change) => {
    await using counted = countedWidgets();
    const { widgets, count } = counted;
    await widgets.patch('apply', sown(3), 'a');
    await widgets.patch('apply', sown(3), 'a');
    await widgets.patch('apply', sown(3), 'a');
    const before = count.updates;
    await change(widgets);
    expect(count.updates).toBeGreaterThan(before);
  });
});

test('an apply from before another change is not taken for done', async () => {
  await using counted = countedWidgets();
  const { widgets } = counted;
  for (let round = 0; round < 3; round += 1) await widgets.patch('apply', sown(3), 'a');
  await widgets.patch('merge', { spec: { rows: 7 } }, 'a', { fieldManager: 'you' });
  const refused = await widgets.patch('apply', sown(3), 'a');
  expect(refused.code).toBe(409);
  expect(await widgets.patch('apply', sown(3), 'a')).toEqual(refused);
  const forced = await widgets.patch('apply', sown(3), 'a', { force: true });
  expect(forced.body['spec']).toEqual({ rows: 3 });
});

describe('a change beside all that an apply looks at', () => {
  const harvest = (widgets: Widgets, tons: number) =>
    widgets.patch('merge', { status: { tons } }, 'a', { endpoint: 'status', fieldManager: 'barn' });
  const applyTwice = async (widgets: Widgets) => {
    await widgets.patch('apply', sown(3), 'a');
    return widgets.patch('apply', sown(3), 'a');
  };

  test('leaves it known that it changes nothing, and it answers with the object as it is now', async () => {
    await using counted = countedWidgets();
    const { widgets, count } = counted;
    const before = await applyTwice(widgets);
    for (let tons = 1; tons <= 3; tons += 1) {
      const harvested = await harvest(widgets, tons);
      expect(await widgets.patch('apply', sown(3), 'a')).toEqual(harvested);
    }
    expect(before.body['status']).toBeUndefined();
    expect(count.updates).toBe(1 + 3);
  });

  type Asked = readonly [
    string,
    WidgetType,
    readonly AdmissionPlugin[],
    (widgets: Widgets) => Promise<unknown>,
  ];
  const asked: readonly Asked[] = [
    [
      'where a field that it sets changes with it',
      {},
      [],
      (widgets) => widgets.patch('merge', { spec: { rows: 4 } }, 'a'),
    ],
    [
      'where one changes beside those that it sets',
      {},
      [],
      (widgets) => widgets.patch('merge', { spec: { crop: 'peas' } }, 'a'),
    ],
    [
      'where labels change',
      {},
      [],
      (widgets) => widgets.patch('merge', { metadata: { labels: { a: 'b' } } }, 'a'),
    ],
    [
      'where its manager comes to own something else',
      {},
      [],
      (widgets) => widgets.patch('apply', widget('a', { spec: { rows: 3, crop: 'peas' } }), 'a'),
    ],
    ['where a plugin is asked about updates', {}, [watchful], (widgets) => harvest(widgets, 1)],
    [
      'where a rule compares with the old object',
      { schema: rowsSchema({}, [{ rule: 'self.rows >= oldSelf.rows' }]) },
      [],
      (widgets) => harvest(widgets, 1),
    ],
  ];
  test.each(asked)('is looked at again %s', async (_, type, plugins, change) => {
    const fields = { schema: rowsSchema({}), subresources: { status: {} }, ...type };
    await using counted = countedWidgets(fields, plugins);
    const { widgets, count } = counted;
    await applyTwice(widgets);
    expect(await change(widgets)).toMatchObject({ code: 200 });
    const before = count.updates;
    await widgets.patch('apply', sown(3), 'a', { force: true });
    await widgets.patch('apply', sown(3), 'a');
    expect(count.updates).toBeGreaterThan(before + 1);
  });

  test('does not excuse a configuration that asks for one revision of the object', async () => {
    await using counted = countedWidgets();
    const { widgets } = counted;
    const { body } = await applyTwice(widgets);
    const { resourceVersion } = metadataOf(body);
    const exact = { ...sown(3), metadata: { name: 'a', resourceVersion } };
    for (let round = 0; round < 2; round += 1) {
      expect((await widgets.patch('apply', exact, 'a')).code).toBe(200);
    }
    await harvest(widgets, 1);
    expect((await widgets.patch('apply', exact, 'a')).code).toBe(409);
  });
});

test('another schema gives the object another default, or refuses it, although it was not written', async () => {
  await using counted = countedWidgets();
  const { widgets } = counted;
  for (let round = 0; round < 3; round += 1) await widgets.patch('apply', sown(30), 'a');
  const withDefault = rowsSchema({});
  const spec = {
    type: 'object',
    properties: { rows: { type: 'integer' }, crop: { type: 'string', default: 'peas' } },
  };
  widgets.become({ schema: { ...withDefault, properties: { spec } } });
  expect((await widgets.patch('apply', sown(30), 'a')).body['spec']).toEqual({ rows: 30, crop: 'peas' });
  expect((await widgets.patch('apply', sown(30), 'a')).body['spec']).toEqual({ rows: 30, crop: 'peas' });
});

test('a rule about transitions that refuses to change nothing refuses every time', async () => {
  const rule = { rule: 'self.rows > oldSelf.rows', message: 'widgets only grow' };
  await using counted = countedWidgets({ schema: rowsSchema({}, [rule]) });
  const { widgets, count } = counted;
  expect((await widgets.patch('apply', sown(3), 'a')).code).toBe(201);
  for (let round = 0; round < 3; round += 1) {
    const refused = await widgets.patch('apply', sown(3), 'a');
    expect(refused.code).toBe(422);
    expect(refused.body['message']).toContain('widgets only grow');
  }
  expect((await widgets.patch('apply', sown(4), 'a')).code).toBe(200);
  expect(count.updates).toBe(4);
});

test.each([
  ['a plugin that is asked about updates', {}],
  ['one that changes objects', { admit: async () => {} }],
])('nothing is remembered behind %s', async (_, plugin) => {
  let asked = 0;
  const validate = async () => {
    asked += 1;
  };
  await using widgets = new Widgets({}, [{ name: 'Unsure', handles: () => true, validate, ...plugin }]);
  for (let round = 0; round < 4; round += 1) await widgets.patch('apply', sown(3), 'a');
  expect(asked).toBe(4);
});

test('what a plugin had a say in is not remembered for when it has none', async () => {
  const held = { on: true };
  const admit: AdmissionPlugin['admit'] = async (attributes) => {
    const { object = {}, oldObject } = attributes;
    if (oldObject !== undefined) attributes.replaceObject({ ...object, spec: { rows: 1 } });
  };
  await using widgets = new Widgets({}, [{ name: 'Holder', handles: () => held.on, admit }]);
  await widgets.patch('apply', sown(1), 'a');
  for (let round = 0; round < 2; round += 1) {
    expect((await widgets.patch('apply', sown(3), 'a')).body['spec']).toEqual({ rows: 1 });
  }
  held.on = false;
  expect((await widgets.patch('apply', sown(3), 'a')).body['spec']).toEqual({ rows: 3 });
});

test('appliers of one object are remembered up to a limit, the most recent ones', async () => {
  await using counted = countedWidgets();
  const { widgets, count } = counted;
  const max = limits.idleAppliesMax;
  const applyAs = (manager: number) => widgets.patch('apply', sown(3), 'a', { fieldManager: `m${manager}` });
  for (let manager = 0; manager <= max; manager += 1) await applyAs(manager);
  for (let manager = 0; manager <= max; manager += 1) await applyAs(manager);
  const before = count.updates;
  for (let manager = max; manager >= 1; manager -= 1) await applyAs(manager);
  expect(count.updates).toBe(before);
  await applyAs(0);
  expect(count.updates).toBe(before + 1);
});

/** A random write of a small set, so that repetitions are frequent. */
function randomWrite(random: () => number): (widgets: Widgets) => Promise<unknown> {
  const pick = <T>(...items: readonly [T, ...T[]]): T =>
    items[Math.floor(random() * items.length)] ?? items[0];
  const rows = pick(1, 2);
  const request: WidgetRequest = {
    fieldManager: pick('one', 'two'),
    force: pick(true, false),
    dryRun: pick(false, false, false, true),
    endpoint: pick('', '', '', 'status'),
    version: pick('v1', 'v2'),
  };
  const rest = pick<JsonObject>({ spec: { rows } }, { spec: { crop: 'peas' } }, { status: { rows } }, {});
  const body = widget('a', rest, request.version);
  const grown = rowsSchema({ maximum: pick(1, 5) });
  const [maybeSchema, maybePatch] = [random() < 0.03, random() < 0.1];
  return async (widgets) => {
    if (maybeSchema) widgets.become({ schema: grown, subresources: { status: {} }, versions: ['v1', 'v2'] });
    if (maybePatch) return widgets.patch('merge', rest, 'a', request);
    return widgets.patch('apply', body, 'a', request);
  };
}

/** Every fifth write is a new one, the others repeat the last. */
test.each([1, 2, 3])(
  'with and without memory, the same writes have the same answers (seed %i)',
  async (seed) => {
    const type = { schema: rowsSchema({}), subresources: { status: {} }, versions: ['v1', 'v2'] };
    await using remembers = countedWidgets(type);
    await using forgets = countedWidgets(type, [watchful]);
    const random = seededRandom(seed);
    let write = randomWrite(random);
    for (let step = 0; step < 250; step += 1) {
      if (random() < 0.2) write = randomWrite(random);
      remembers.widgets.nowMs = step * 700;
      forgets.widgets.nowMs = step * 700;
      expect(await write(remembers.widgets), `step ${step}`).toEqual(await write(forgets.widgets));
    }
    expect(remembers.count.updates).toBeLessThan(forgets.count.updates * 0.7);
  },
);
