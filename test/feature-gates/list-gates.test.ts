import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import {
  alphaGate,
  applyPatch,
  type Crons,
  cron,
  cronCrd,
  cronsPath,
  cronVersion,
  crdPath,
  jsonPatch,
  mergePatch,
  startCrons,
} from './gated.test-support.ts';

/** Gates on fields of list items and map entries: `.spec.containers[*].image`, `.spec.pools[*].size`. */

const one = `${cronsPath()}/one`;
const integer = { type: 'integer' };
const text = { type: 'string' };
const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });
const container = object({ name: text, image: text, cpu: { ...integer, default: 1 }, age: integer });
const byName = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
const containers: JsonObject = {
  type: 'array',
  ...byName,
  items: {
    ...container,
    required: ['name'],
    'x-kubernetes-validations': [
      { rule: '!has(self.image) || self.image != "bad"', message: 'no bad images' },
    ],
  },
};
const pools = { type: 'object', additionalProperties: object({ size: integer, zone: text }) };
const version = cronVersion('v1', {
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  schema: {
    openAPIV3Schema: object({
      spec: object({ containers, pools, replicas: integer }),
      status: object({
        replicas: integer,
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: object({ type: text, reason: text }, { required: ['type'] }),
        },
      }),
    }),
  },
});
const images = alphaGate('Images', '.spec.containers[*].image');
const sizes = alphaGate('Sizes', '.spec.pools[*].size');
const start = (...gates: JsonObject[]) => startCrons({ crds: [cronCrd(gates, [version])] });
const off = (what: string, gate = 'Images') => `${what} (feature gate ${gate} is disabled)`;

/** A crontab with an item that has the field, and one that does not; the gate is off since. */
async function startWithItems() {
  const crons = await start(images, sizes);
  await crons.turn({ Images: true, Sizes: true });
  const { code } = await crons.call(
    'PATCH',
    `${one}?fieldManager=alice`,
    cron('one', {
      spec: { containers: [{ name: 'a', image: 'a:1' }, { name: 'b' }], pools: { x: { size: 1 }, y: {} } },
    }),
    applyPatch,
  );
  expect(code).toBe(201);
  await crons.turn({ Images: false, Sizes: false });
  return crons;
}
const read = async ({ call }: Crons) => (await call('GET', one)).body;

describe('the matrix, item by item', () => {
  const spec = {
    containers: [
      { name: 'c', image: 'c:9', cpu: 1 },
      { name: 'b', image: 'b:9', cpu: 1 },
      { name: 'a', image: 'a:9', cpu: 1 },
    ],
    pools: { z: { size: 9 }, y: { size: 9 }, x: { size: 9 } },
  };
  const kept = {
    containers: [
      { name: 'c', cpu: 1 },
      { name: 'b', cpu: 1 },
      { name: 'a', image: 'a:1', cpu: 1 },
    ],
    pools: { z: {}, y: {}, x: { size: 1 } },
  };
  const warnings = [
    off('CronTab spec.containers[name="c"].image: dropped'),
    off('CronTab spec.containers[name="b"].image: dropped'),
    off('CronTab spec.containers[name="a"].image: unchanged'),
    off('CronTab spec.pools.z.size: dropped', 'Sizes'),
    off('CronTab spec.pools.y.size: dropped', 'Sizes'),
    off('CronTab spec.pools.x.size: unchanged', 'Sizes'),
  ];

  test.each(['PUT', 'merge', 'json'])('%s, in another order', async (way) => {
    await using crons = await startWithItems();
    const answer = await (way === 'PUT'
      ? crons.call('PUT', one, { ...(await read(crons)), spec })
      : way === 'merge'
        ? crons.call('PATCH', one, { spec }, mergePatch)
        : crons.call('PATCH', one, [{ op: 'replace', path: '/spec', value: spec }], jsonPatch));
    expect({ code: answer.code, spec: answer.body.spec }).toEqual({ code: 200, spec: kept });
    expect([...answer.warnings].sort()).toEqual([...warnings].sort());
    await crons.turn({ Images: true, Sizes: true });
    const again = await crons.call('PATCH', one, { spec }, mergePatch);
    expect({ spec: again.body.spec, warnings: again.warnings }).toEqual({ spec, warnings: [] });
  });

  test('create drops the field in every item and entry', async () => {
    await using crons = await start(images, sizes);
    const { code, body, warnings: told } = await crons.call('POST', cronsPath(), cron('one', { spec }));
    expect({ code, spec: body.spec }).toEqual({
      code: 201,
      spec: {
        containers: [
          { name: 'c', cpu: 1 },
          { name: 'b', cpu: 1 },
          { name: 'a', cpu: 1 },
        ],
        pools: { z: {}, y: {}, x: {} },
      },
    });
    expect(told).toHaveLength(6);
  });

  test('apply neither conflicts about a field of an item nor takes it, and its owner keeps it', async () => {
    await using crons = await startWithItems();
    const bob = await crons.call(
      'PATCH',
      `${one}?fieldManager=bob`,
      cron('one', {
        spec: {
          containers: [
            { name: 'a', image: 'bob:1' },
            { name: 'd', image: 'd:1' },
          ],
        },
      }),
      applyPatch,
    );
    expect({ code: bob.code, warnings: bob.warnings }).toEqual({
      code: 200,
      warnings: [
        off('CronTab spec.containers[name="a"].image: unchanged'),
        off('CronTab spec.containers[name="d"].image: dropped'),
      ],
    });
    const alice = await crons.call(
      'PATCH',
      `${one}?fieldManager=alice`,
      cron('one', { spec: { containers: [{ name: 'a' }], pools: { x: {} } } }),
      applyPatch,
    );
    expect({ spec: alice.body.spec, warnings: alice.warnings }).toEqual({
      spec: {
        containers: [
          { name: 'a', image: 'a:1', cpu: 1 },
          { name: 'd', cpu: 1 },
        ],
        pools: { x: { size: 1 } },
      },
      warnings: [
        off('CronTab spec.containers[name="a"].image: unchanged'),
        off('CronTab spec.pools.x.size: unchanged', 'Sizes'),
      ],
    });
    const owned = (manager: string) =>
      alice.body.metadata.managedFields.find((entry: JsonObject) => entry['manager'] === manager).fieldsV1;
    expect(owned('alice')['f:spec']['f:containers']).toEqual({
      'k:{"name":"a"}': { '.': {}, 'f:image': {}, 'f:name': {} },
    });
    expect(owned('bob')['f:spec']['f:containers']).toEqual({
      'k:{"name":"a"}': { '.': {}, 'f:name': {} },
      'k:{"name":"d"}': { '.': {}, 'f:name': {} },
    });
  });
});

test('a removed item loses its frozen field, with a warning', async () => {
  await using crons = await startWithItems();
  const { body, warnings } = await crons.call(
    'PATCH',
    one,
    { spec: { containers: [{ name: 'b' }], pools: { x: null } } },
    mergePatch,
  );
  expect({ spec: body.spec, warnings }).toEqual({
    spec: { containers: [{ name: 'b', cpu: 1 }], pools: { y: {} } },
    warnings: [
      off('CronTab spec.containers[name="a"].image: removed together with spec.containers[name="a"]'),
      off('CronTab spec.pools.x.size: removed together with spec.pools.x', 'Sizes'),
    ],
  });
  expect(JSON.stringify(body.metadata.managedFields)).not.toMatch(/f:image|f:size/);
});

test('/status has items too, and a write that a gate undid leaves generation and resourceVersion', async () => {
  const reasons = alphaGate('Reasons', '.status.conditions[*].reason');
  await using crons = await start(reasons, images);
  await crons.turn({ Reasons: true, Images: true });
  const spec = { containers: [{ name: 'a', image: 'a:1' }], replicas: 1 };
  await crons.call('POST', cronsPath(), cron('one', { spec }));
  const status = (reason: string) => ({ status: { conditions: [{ type: 'Ready', reason }] } });
  await crons.call('PATCH', `${one}/status`, status('Old'), mergePatch);
  await crons.turn({ Reasons: false, Images: false });
  const before = await read(crons);
  const changed = await crons.call('PATCH', `${one}/status`, status('New'), mergePatch);
  expect(changed.warnings).toEqual([
    off('CronTab status.conditions[type="Ready"].reason: unchanged', 'Reasons'),
  ]);
  expect(changed.body).toEqual(before);
  const other = { spec: { containers: [{ name: 'a', image: 'bad' }] } };
  expect((await crons.call('PATCH', one, other, mergePatch)).body).toEqual(before);
  const scaled = await crons.call('PATCH', `${one}/scale`, { spec: { replicas: 2 } }, mergePatch);
  expect({ code: scaled.code, warnings: scaled.warnings }).toEqual({ code: 200, warnings: [] });
  expect((await read(crons)).spec).toEqual({
    containers: [{ name: 'a', image: 'a:1', cpu: 1 }],
    replicas: 2,
  });
});

test('defaults of items are withheld while the gate is off; rules see what will be stored', async () => {
  await using crons = await start(alphaGate('Cpus', '.spec.containers[*].cpu'), images);
  const spec = { containers: [{ name: 'a', image: 'bad' }] };
  const created = await crons.call('POST', cronsPath(), cron('one', { spec }));
  expect({ code: created.code, spec: created.body.spec }).toEqual({
    code: 201,
    spec: { containers: [{ name: 'a' }] },
  });
  await crons.turn({ Cpus: true, Images: true });
  expect((await read(crons)).spec).toEqual({ containers: [{ name: 'a', cpu: 1 }] });
  const refused = await crons.call('PATCH', one, { spec }, mergePatch);
  expect(refused.body.message).toContain('spec.containers[0]: Invalid value: no bad images');
});

test('a deprecated field causes a warning for each item that uses it', async () => {
  const ages = {
    name: 'Ages',
    preRelease: 'deprecated',
    default: true,
    fieldPaths: ['.spec.containers[*].age'],
  };
  await using crons = await start(ages);
  const spec = { containers: [{ name: 'a', age: 1 }, { name: 'b' }] };
  const told = (name: string) =>
    `CronTab spec.containers[name="${name}"].age: deprecated (feature gate Ages)`;
  expect((await crons.call('POST', cronsPath(), cron('one', { spec }))).warnings).toEqual([told('a')]);
  const more = { containers: [...spec.containers, { name: 'c', age: 2 }] };
  expect((await crons.call('PATCH', one, { spec: more }, mergePatch)).warnings).toEqual([told('c')]);
  const fewer = { containers: [{ name: 'b' }, { name: 'c', age: 2 }] };
  expect((await crons.call('PATCH', one, { spec: fewer }, mergePatch)).warnings).toEqual([told('a')]);
});

test('metrics count items; OpenAPI shows the gate at the field of the items', async () => {
  await using crons = await start(images, sizes);
  const spec = {
    containers: [
      { name: 'a', image: 'a' },
      { name: 'b', image: 'b' },
    ],
    pools: { x: { size: 1 } },
  };
  await crons.call('POST', cronsPath(), cron('one', { spec }));
  const metrics = await (await crons.server.fetch('/metrics')).text();
  expect(metrics.split('\n').filter((line) => line.startsWith('ilk_custom_feature_fields_dropped'))).toEqual([
    'ilk_custom_feature_fields_dropped_total{crd="crontabs.stable.example.com",name="Images"} 2',
    'ilk_custom_feature_fields_dropped_total{crd="crontabs.stable.example.com",name="Sizes"} 1',
  ]);
  const { body } = await crons.call('GET', '/openapi/v3/apis/stable.example.com/v1');
  const { spec: published } = body.components.schemas['com.example.stable.v1.CronTab'].properties;
  const gate = (name: string) => ({
    'x-kubernetes-feature-gate': { name, preRelease: 'alpha', enabled: false },
  });
  expect(published.properties.containers.items.properties.image).toEqual({ ...text, ...gate('Images') });
  expect(published.properties.pools.additionalProperties.properties.size).toEqual({
    ...integer,
    ...gate('Sizes'),
  });
});

describe('keys', () => {
  const ports = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
    items: object(
      { port: integer, protocol: { ...text, default: 'TCP' }, note: text },
      { required: ['port'] },
    ),
  };
  const deep = cronVersion('v1', {
    schema: {
      openAPIV3Schema: object({
        spec: object({ teams: { type: 'object', additionalProperties: object({ ports }) } }),
      }),
    },
  });
  const notes = alphaGate('Notes', '.spec.teams[*].ports[*].note');

  test('may be several, have defaults, and be below other entries', async () => {
    await using crons = await startCrons({ crds: [cronCrd([{ ...notes, enabled: true }], [deep])] });
    const spec = (note: string) => ({
      teams: {
        'a b\n': {
          ports: [
            { port: 1, protocol: 'UDP', note: `udp ${note}` },
            { port: 1, note: `tcp ${note}` },
          ],
        },
      },
    });
    await crons.call('POST', cronsPath(), cron('one', { spec: spec('old') }));
    await crons.turn({ Notes: false });
    const reversed = spec('new');
    reversed.teams['a b\n'].ports.reverse();
    const { body, warnings } = await crons.call('PATCH', one, { spec: reversed }, mergePatch);
    expect({ teams: body.spec.teams, warnings }).toEqual({
      teams: {
        'a b\n': {
          ports: [
            { port: 1, protocol: 'TCP', note: 'tcp old' },
            { port: 1, protocol: 'UDP', note: 'udp old' },
          ],
        },
      },
      warnings: [
        off('CronTab spec.teams["a b\\n"].ports[port=1,protocol="TCP"].note: unchanged', 'Notes'),
        off('CronTab spec.teams["a b\\n"].ports[port=1,protocol="UDP"].note: unchanged', 'Notes'),
      ],
    });
  });

  test('that are duplicates are refused as before', async () => {
    await using crons = await startWithItems();
    const spec = {
      containers: [
        { name: 'a', image: 'x' },
        { name: 'a', image: 'y' },
      ],
    };
    const { code, body } = await crons.call('PATCH', one, { spec }, mergePatch);
    expect({ code, message: body.message }).toEqual({
      code: 422,
      message:
        'CronTab.stable.example.com "one" is invalid: spec.containers[1]: Duplicate value: {"name":"a"}',
    });
  });
});

describe('where nothing tells items apart', () => {
  const at = 'spec.customFeatureGates.featureGates[0].fieldPaths[0]';
  const listOf = (more: JsonObject) => ({ type: 'array', items: container, ...more });
  const versionOf = (list: JsonObject) =>
    cronVersion('v1', { schema: { openAPIV3Schema: object({ spec: object({ list }) }) } });
  const only = 'and only items of a list of type map can be told apart: gate the list itself';
  const table: readonly [string, JsonObject, string, string][] = [
    ['an atomic list', listOf({}), '.spec.list[*].image', `its list type is atomic, ${only}`],
    [
      'a set',
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      '.spec.list[*].image',
      `its list type is set, ${only}`,
    ],
    ['an object', container, '.spec.list[*].image', 'it is neither a list with keys nor a map'],
    [
      'anything',
      { 'x-kubernetes-preserve-unknown-fields': true },
      '.spec.list[*].image',
      'it is neither a list with keys nor a map',
    ],
  ];
  test.each(table)('%s, the gate is refused', async (_, list, path, problem) => {
    await using crons = await startCrons({ crds: [] });
    const crd = cronCrd([alphaGate('A', path)], [versionOf(list)]);
    const { code, body } = await crons.call('POST', crdPath.replace(/\/[^/]*$/, ''), crd);
    expect(code).toBe(422);
    expect(body.message).toContain(
      `${at}: Invalid value: "${path}": must not go into .spec.list[*]: ${problem}`,
    );
  });

  test('a key of the list, [*] at the end, and both ways at once are refused', async () => {
    await using crons = await startCrons({ crds: [] });
    const paths = [
      '.spec.containers[*].name',
      '.spec.containers[*]',
      '.spec.pools[*].size',
      '.spec.pools.x.zone',
      '[*].a',
    ];
    const { body } = await crons.call(
      'POST',
      crdPath.replace(/\/[^/]*$/, ''),
      cronCrd([alphaGate('A', ...paths)], [version]),
    );
    expect(body.details.causes.map(({ field, message }: JsonObject) => `${field}: ${message}`)).toEqual(
      [
        ['[1]', '".spec.containers[*]": must not end with [*]: gate the list or the map itself'],
        [
          '[3]',
          '".spec.pools.x.zone": other paths name entries of .spec.pools one by one or all: only one of both',
        ],
        ['[4]', '"[*].a": must be a simple json path starting with .'],
        ['[0]', '".spec.containers[*].name": must not be a key of the list .spec.containers'],
      ].map(
        ([index, problem]) =>
          `spec.customFeatureGates.featureGates[0].fieldPaths${index}: Invalid value: ${problem}`,
      ),
    );
  });

  test('nor may the list of a stored gate lose its keys; what was wrong before may stay so', async () => {
    await using crons = await start(images);
    const { body: crd } = await crons.call('GET', crdPath);
    const list = crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.containers;
    delete list['x-kubernetes-list-type'];
    delete list['x-kubernetes-list-map-keys'];
    const { code, body } = await crons.call('PUT', crdPath, crd);
    expect({ code, message: body.message }).toEqual({
      code: 422,
      message: `CustomResourceDefinition.apiextensions.k8s.io "crontabs.stable.example.com" is invalid: ${at}: Invalid value: ".spec.containers[*].image": must not go into .spec.containers[*]: its list type is atomic, ${only}`,
    });
  });

  test('a required field of items draws the warning', async () => {
    await using crons = await startCrons({ crds: [] });
    const list = { ...containers, items: { ...container, required: ['name', 'image'] } };
    const { warnings } = await crons.call(
      'POST',
      crdPath.replace(/\/[^/]*$/, ''),
      cronCrd([alphaGate('A', '.spec.list[*].image', '.spec.list[*].size')], [versionOf(list)]),
    );
    expect(warnings).toEqual([
      `${at}: ".spec.list[*].image" is a required field: no object can be created while the gate is disabled`,
      `${at.replace(/0\]$/, '1]')}: ".spec.list[*].size" is not a field of the storage version v1: the gate has no effect`,
    ]);
  });
});
