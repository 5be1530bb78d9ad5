import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { AdmissionAttributes } from '../../admission/index.ts';
import { decodeJson, encodeJson } from '../../codec/index.ts';
import {
  goJson,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  ownObject,
  seededRandom,
} from '../../meta/index.ts';
import { withoutResourceVersion } from '../representation/encode-stored.ts';
import {
  type WidgetAnswer,
  type WidgetRequest,
  type WidgetType,
  widget,
  Widgets,
} from './widgets.test-support.ts';

/** All kinds of fields that a write handles specially. */
const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        wide: { type: 'object', additionalProperties: { type: 'string' } },
        beds: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              rows: { type: 'integer', default: 1, maximum: 5 },
              soil: { type: 'object', properties: { ph: { type: 'integer' } }, default: { ph: 7 } },
            },
          },
        },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        notes: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        shed: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        fence: { type: 'object', nullable: true, properties: { height: { type: 'integer' } } },
        count: { type: 'integer', format: 'int64' },
      },
      'x-kubernetes-validations': [{ rule: '!has(self.count) || self.count != 13', message: 'unlucky' }],
    },
    status: {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        notes: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};
const scale = { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count' };
const type: WidgetType = { schema, subresources: { status: {}, scale }, versions: ['v1', 'v2'] };

/** Large enough to be divided into parts. */
const wide = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`field${index}`, `<${index}> `.repeat(20)]),
);

type Random = () => number;

const pick = <T>(random: Random, items: readonly T[]): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};

const bedOf = (random: Random): JsonObject => ({
  name: pick(random, ['a', 'b', 'c']),
  ...(random() < 0.5 ? { rows: pick(random, [1, 2, 9]) } : {}),
  ...(random() < 0.3 ? { soil: pick<JsonValue>(random, [{}, { ph: 5, acid: true }, null]) } : {}),
});

function specOf(random: Random): JsonObject {
  const parts: JsonObject[] = [
    { wide: { [`field${Math.floor(random() * 40)}`]: pick(random, ['x', 'y', null]) } },
    { beds: [bedOf(random), bedOf(random)] },
    { tags: pick(random, [['a'], ['b', 'a'], ['a', 'a'], []]) },
    { notes: pick<JsonValue>(random, [{ deep: { er: [1, { x: null }] } }, { big: 2 ** 60 }, null, {}]) },
    { shed: { apiVersion: 'v1', kind: 'Shed', metadata: { name: 'x', labels: {}, odd: 1 }, more: [] } },
    { fence: pick<JsonValue>(random, [null, { height: 2 }, { height: 3, wood: true }]) },
    { count: pick(random, [1, 13, 2 ** 53 - 1, -0]) },
    { unknown: { field: 1 } },
  ];
  return Object.assign({}, pick(random, parts), random() < 0.4 ? pick(random, parts) : {});
}

const metadataOfPatch = (random: Random): JsonObject =>
  pick<JsonObject>(random, [
    {},
    { labels: { a: pick(random, ['1', '2']) } },
    { annotations: { note: pick(random, ['<1>', '2']) } },
    { finalizers: pick(random, [['x.y/z'], []]) },
    { managedFields: [] },
  ]);

/** A JSON patch with operations that mostly succeed. */
function operationsOf(random: Random): JsonObject[] {
  const path = pick(random, [
    '/spec/beds/0',
    '/spec/notes',
    '/spec/tags/0',
    '/status/notes',
    '/spec/wide/field7',
  ]);
  const from = pick(random, ['/spec/notes', '/spec/wide', '/spec/shed', '/spec/beds/0']);
  return pick<JsonObject[]>(random, [
    [{ op: 'replace', path, value: 'x' }],
    [{ op: 'remove', path }],
    [{ op: 'add', path: '/spec/beds/0', value: bedOf(random) }],
    [{ op: 'copy', from, path: '/spec/notes' }],
    [{ op: 'copy', from, path: '/status/notes' }],
    [{ op: 'move', from, path: '/spec/notes' }],
    [{ op: 'move', from: '/spec/notes', path: '/spec/fence' }],
    [{ op: 'move', from: '/spec/notes', path: '/spec/fence' }],
    [
      { op: 'move', from: '/spec/notes', path: '/spec/shed/more' },
      { op: 'add', path: '/spec/notes', value: {} },
    ],
    [{ op: 'test', path: '/spec/wide', value: {} }],
  ]);
}

type Write = (widgets: Widgets) => Promise<WidgetAnswer>;

/** One write, deterministic for all callers. */
function randomWrite(random: Random, present: KubeObject): Write {
  const request: WidgetRequest = {
    fieldManager: pick(random, ['one', 'two', 'three']),
    endpoint: pick(random, ['', '', 'status'] as const),
    version: pick(random, ['v1', 'v1', 'v2']),
    force: random() < 0.7,
    dryRun: random() < 0.1,
    fieldValidation: pick(random, ['Strict', 'Warn', 'Ignore'] as const),
  };
  const status = random() < 0.5 ? { status: { count: pick(random, [1, 2]), notes: { x: [{}] } } } : {};
  const change = { metadata: metadataOfPatch(random), spec: specOf(random), ...status };
  const operations = operationsOf(random);
  const applied = { ...widget('a', { spec: { ...specOf(random), wide }, ...status }, request.version) };
  const wanted = {
    ...present,
    apiVersion: `example.com/${request.version}`,
    spec: { wide, beds: [bedOf(random)], ...specOf(random) },
    ...status,
  };
  const replicas = { spec: { replicas: pick(random, [1, 2, 13]) } };
  return pick<Write>(random, [
    (widgets) => widgets.patch('merge', change, 'a', request),
    (widgets) => widgets.patch('merge', change, 'a', request),
    (widgets) => widgets.patch('json', operations, 'a', request),
    (widgets) => widgets.patch('apply', applied, 'a', request),
    (widgets) => widgets.patch('apply', applied, 'a', request),
    (widgets) => widgets.put(wanted, 'a', request),
    (widgets) => widgets.scale(replicas, 'a', request),
  ]);
}

const textOf = (answer: WidgetAnswer) => goJson({ ...answer, warnings: [...answer.warnings] });

/** The cached decoded object equals the stored bytes, so it was not mutated. */
function expectUntouched(stored: { bytes: Buffer; recent: KubeObject | undefined } | undefined): void {
  if (stored?.recent === undefined) return;
  const object = withoutResourceVersion(stored.recent);
  expect(encodeJson(object).toString()).toBe(stored.bytes.toString());
  expect(isDeepStrictEqual(object, decodeJson(stored.bytes).value)).toBe(true);
}

test.each([1, 2, 3])('writes that share objects store what others do (seed %i)', async (seed) => {
  await using sharing = new Widgets(type);
  await using plain = new Widgets({ ...type, sharesUnchanged: false });
  const random = seededRandom(seed);
  for (const widgets of [sharing, plain]) await widgets.create(widget('a', { spec: { wide, notes: {} } }));
  let [recents, changes] = [0, 0];
  for (let step = 1; step <= 120; step += 1) {
    const write = randomWrite(random, await plain.get('a'));
    for (const widgets of [sharing, plain]) widgets.nowMs = step * 400;
    const told = [textOf(await write(sharing)), textOf(await write(plain))];
    expect(told[0], `step ${step}`).toBe(told[1]);
    const [ours, theirs] = [await sharing.stored('a'), await plain.stored('a')];
    expect(ours?.bytes.equals(theirs?.bytes ?? Buffer.alloc(0)), `step ${step}`).toBe(true);
    expectUntouched(ours);
    if (ours?.recent !== undefined) recents += 1;
    if (metadataOf(await sharing.get('a'))['generation'] !== undefined) changes += 1;
  }
  expect(recents).toBeGreaterThan(25);
  expect(changes).toBe(120);
});

test('what a plugin puts in the place of an object is written, and no other object changes', async () => {
  const admit = async (attributes: AdmissionAttributes) => {
    const { object = {}, operation } = attributes;
    const spec = ownObject(object, 'spec') ?? {};
    const fields = ownObject(spec, 'wide') ?? {};
    if (operation !== 'UPDATE') return;
    const seen = { ...fields, field1: `seen ${String(fields['field1'])}` };
    attributes.replaceObject({ ...object, spec: { ...spec, wide: seen } });
  };
  await using widgets = new Widgets(type, [{ name: 'Stamp', handles: () => true, admit }]);
  await widgets.create(widget('a', { spec: { wide: { ...wide, field1: 'a' } } }));
  const write = (count: number, dryRun: boolean) =>
    widgets.patch('merge', { spec: { count } }, 'a', { dryRun, fieldManager: 'two' });
  const field1 = ({ body }: WidgetAnswer) => ownObject(ownObject(body, 'spec') ?? {}, 'wide')?.['field1'];
  expect(field1(await write(1, false))).toBe('seen a');
  expect(field1(await write(2, true))).toBe('seen seen a');
  expect(field1(await write(3, true))).toBe('seen seen a');
  expectUntouched(await widgets.stored('a'));
  expect(field1(await write(4, false))).toBe('seen seen a');
  expectUntouched(await widgets.stored('a'));
});
