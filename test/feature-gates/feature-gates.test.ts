import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import {
  alphaGate,
  type Answer,
  applyPatch,
  type Crons,
  cron,
  cronCrd,
  cronsPath,
  cronVersion,
  jsonPatch,
  mergePatch,
  ownersOf,
  startCrons,
} from './gated.test-support.ts';

/** The two matrices of KEP-2608, row by row, for every way of writing, in every served version. */

let crons: Crons;
let count = 0;
beforeAll(async () => {
  crons = await startCrons({
    crds: [
      cronCrd([
        alphaGate('Replicas', '.spec.replicas'),
        alphaGate('Load', '.status.load'),
        alphaGate('Foo', '.spec.foo'),
        alphaGate('Qux', '.spec.foo.qux'),
      ]),
    ],
  });
});
afterAll(() => crons.server.close());

const versions = ['v1', 'v1beta1'] as const;
const newName = () => `cron-${(count += 1)}`;
const at = (name: string, version: string, endpoint = '') =>
  `${cronsPath(version)}/${name}${endpoint === '' ? '' : `/${endpoint}`}`;
const read = async (name: string, version = 'v1') => (await crons.call('GET', at(name, version))).body;

/** A gated field, and the ways of giving it a value in an object that is there. */
interface Field {
  readonly gate: string;
  /** `spec.replicas` */
  readonly path: string;
  readonly ways: Readonly<Record<string, (name: string, version: string, value: number) => Promise<Answer>>>;
}

const spec = (value: number) => ({ spec: { replicas: value } });
const status = (value: number) => ({ status: { load: value } });
const scaleOf = (name: string, value: number) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, namespace: 'default' },
  ...spec(value),
});

/** Reads, changes and puts back. */
async function put(name: string, version: string, change: JsonObject, endpoint = ''): Promise<Answer> {
  const body = await read(name, version);
  for (const part of ['spec', 'status'] as const) {
    if (change[part] !== undefined) body[part] = { ...body[part], ...(change[part] as JsonObject) };
  }
  return crons.call('PUT', at(name, version, endpoint), body);
}

const byApply = 'fieldManager=applier&force=true';
const fields: readonly Field[] = [
  {
    gate: 'Replicas',
    path: 'spec.replicas',
    ways: {
      PUT: (name, version, value) => put(name, version, spec(value)),
      'JSON patch': (name, version, value) =>
        crons.call('PATCH', at(name, version), [{ op: 'add', path: '/spec/replicas', value }], jsonPatch),
      'merge patch': (name, version, value) =>
        crons.call('PATCH', at(name, version), spec(value), mergePatch),
      apply: (name, version, value) =>
        crons.call('PATCH', `${at(name, version)}?${byApply}`, cron(name, spec(value), version), applyPatch),
      'PUT /scale': (name, version, value) =>
        crons.call('PUT', at(name, version, 'scale'), scaleOf(name, value)),
      'JSON patch /scale': (name, version, value) =>
        crons.call(
          'PATCH',
          at(name, version, 'scale'),
          [{ op: 'add', path: '/spec/replicas', value }],
          jsonPatch,
        ),
      'merge patch /scale': (name, version, value) =>
        crons.call('PATCH', at(name, version, 'scale'), spec(value), mergePatch),
      'apply /scale': (name, version, value) =>
        crons.call('PATCH', `${at(name, version, 'scale')}?${byApply}`, scaleOf(name, value), applyPatch),
    },
  },
  {
    gate: 'Load',
    path: 'status.load',
    ways: {
      'PUT /status': (name, version, value) => put(name, version, status(value), 'status'),
      'JSON patch /status': (name, version, value) =>
        crons.call(
          'PATCH',
          at(name, version, 'status'),
          [{ op: 'add', path: '/status', value: { load: value } }],
          jsonPatch,
        ),
      'merge patch /status': (name, version, value) =>
        crons.call('PATCH', at(name, version, 'status'), status(value), mergePatch),
      'apply /status': (name, version, value) =>
        crons.call(
          'PATCH',
          `${at(name, version, 'status')}?${byApply}`,
          cron(name, status(value), version),
          applyPatch,
        ),
    },
  },
];

const valueAt = (object: JsonObject, path: string) =>
  path.split('.').reduce<unknown>((value, step) => (value as JsonObject | undefined)?.[step], object);

/** An object that has a gated field, or does not; the gate is on meanwhile. */
async function objectWith({ gate, path }: Field, value: number | undefined): Promise<string> {
  const name = newName();
  await crons.turn({ [gate]: true });
  await crons.call('POST', cronsPath(), cron(name, { spec: { image: 'i' } }));
  const [part = '', field = ''] = path.split('.');
  if (value !== undefined) {
    const endpoint = part === 'status' ? '/status' : '';
    const manager = '?fieldManager=first';
    const patch = { [part]: { [field]: value } };
    await crons.call('PATCH', `${at(name, 'v1')}${endpoint}${manager}`, patch, mergePatch);
  }
  return name;
}

const cases = fields.flatMap((field) =>
  Object.entries(field.ways).flatMap(([way, write]) =>
    versions.map((version) => ({ field, way, write, version, gate: field.gate, path: field.path })),
  ),
);

describe.each(cases)('an update of $path by $way in $version', ({ field, way, write, version }) => {
  const { gate, path } = field;
  const warning = (what: string) => [`CronTab ${path}: ${what} (feature gate ${gate} is disabled)`];
  /** Whether a real change of the field shows in the generation. */
  const counts = path.startsWith('spec.') ? 1 : 0;

  test('not there, gate disabled: dropped', async () => {
    const name = await objectWith(field, undefined);
    await crons.turn({ [gate]: false });
    const before = await read(name);
    const { code, warnings } = await write(name, version, 5);
    expect({ code, warnings }).toEqual({ code: 200, warnings: warning('dropped') });
    const after = await read(name);
    expect(valueAt(after, path)).toBe(undefined);
    expect(after.metadata.generation).toBe(before.metadata.generation);
    expect(ownersOf(after, path)).toEqual([]);
  });

  test('not there, gate enabled: set', async () => {
    const name = await objectWith(field, undefined);
    const { generation } = (await read(name)).metadata;
    const { code, warnings } = await write(name, version, 5);
    expect({ code, warnings }).toEqual({ code: 200, warnings: [] });
    const after = await read(name);
    expect(valueAt(after, path)).toBe(5);
    expect(after.metadata.generation).toBe(generation + counts);
    // A Scale whose replicas have no owner stays so until an apply, as upstream.
    const isTracked = !way.endsWith('/scale') || way.startsWith('apply');
    expect(ownersOf(after, path)).toHaveLength(isTracked ? 1 : 0);
  });

  test('there, gate disabled: as it was, to the last byte', async () => {
    const name = await objectWith(field, 3);
    await crons.turn({ [gate]: false });
    const before = await read(name);
    expect(valueAt(before, path)).toBe(3);
    const { code, warnings } = await write(name, version, 5);
    expect({ code, warnings }).toEqual({ code: 200, warnings: warning('unchanged') });
    const after = await read(name);
    expect(after).toEqual(before);
    expect(ownersOf(after, path)).toEqual([path.startsWith('status') ? 'first/status' : 'first']);
  });

  test('there, gate enabled: updated', async () => {
    const name = await objectWith(field, 3);
    const { generation } = (await read(name)).metadata;
    const { code, warnings } = await write(name, version, 5);
    expect({ code, warnings }).toEqual({ code: 200, warnings: [] });
    const after = await read(name);
    expect(valueAt(after, path)).toBe(5);
    expect(after.metadata.generation).toBe(generation + counts);
  });
});

describe.each(versions)('a create in %s', (version) => {
  const ways: [string, (name: string) => Promise<Answer>][] = [
    ['POST', (name) => crons.call('POST', cronsPath(version), cron(name, spec(3), version))],
    [
      'apply',
      (name) =>
        crons.call('PATCH', `${at(name, version)}?fieldManager=a`, cron(name, spec(3), version), applyPatch),
    ],
  ];

  test.each(ways)('by %s with the gate disabled drops the field', async (_, write) => {
    await crons.turn({ Replicas: false });
    const name = newName();
    const { code, body, warnings } = await write(name);
    expect({ code, spec: body.spec, warnings }).toEqual({
      code: 201,
      spec: {},
      warnings: ['CronTab spec.replicas: dropped (feature gate Replicas is disabled)'],
    });
    const stored = await read(name);
    expect(stored.spec).toEqual({});
    expect(ownersOf(stored, 'spec.replicas')).toEqual([]);
    expect(stored.metadata.generation).toBe(1);
  });

  test.each(ways)('by %s with the gate enabled goes on as usual', async (_, write) => {
    await crons.turn({ Replicas: true });
    const { body, warnings } = await write(newName());
    expect({ spec: body.spec, warnings }).toEqual({ spec: { replicas: 3 }, warnings: [] });
    expect(ownersOf(body, 'spec.replicas')).toHaveLength(1);
  });
});

/** Case number, whether `.spec.foo.qux` is stored, Foo, Qux, and the spec that comes of it. */
const nested: readonly [number, boolean, boolean, boolean, JsonObject][] = [
  [1, false, false, false, {}],
  [2, false, false, true, {}],
  [3, false, true, false, { foo: { baz: 2 } }],
  [4, false, true, true, { foo: { baz: 2, qux: 3 } }],
  [5, true, false, false, { foo: { qux: 1 } }],
  [6, true, false, true, { foo: { qux: 1 } }],
  [7, true, true, false, { foo: { baz: 2, qux: 1 } }],
  [8, true, true, true, { foo: { baz: 2, qux: 3 } }],
];

describe.each(nested)('nested gates, case %i', (_, isStored, foo, qux, expected) => {
  const wanted = { spec: { foo: { baz: 2, qux: 3 } } };
  const ways: Record<string, (name: string, version: string) => Promise<Answer>> = {
    PUT: async (name, version) => {
      const { metadata } = await read(name, version);
      return crons.call('PUT', at(name, version), { ...cron(name, wanted, version), metadata });
    },
    'JSON patch': (name, version) =>
      crons.call('PATCH', at(name, version), [{ op: 'add', path: '/spec', value: wanted.spec }], jsonPatch),
    'merge patch': (name, version) => crons.call('PATCH', at(name, version), wanted, mergePatch),
    apply: (name, version) =>
      crons.call('PATCH', `${at(name, version)}?${byApply}`, cron(name, wanted, version), applyPatch),
  };
  const every = Object.entries(ways).flatMap(([way, write]) =>
    versions.map((version) => ({ way, write, version })),
  );

  test.each(every)('by $way in $version', async ({ write, version }) => {
    const name = newName();
    await crons.turn({ Foo: true, Qux: true });
    const before = isStored ? { foo: { qux: 1 } } : {};
    await crons.call('POST', cronsPath(), cron(name, { spec: before }));
    await crons.turn({ Foo: foo, Qux: qux });
    const { code } = await write(name, version);
    expect(code).toBe(200);
    const after = await read(name);
    expect(after.spec).toEqual(expected);
    expect((await read(name, 'v1beta1')).spec).toEqual(expected);
    const changed = JSON.stringify(before) !== JSON.stringify(expected);
    expect(after.metadata.generation).toBe(changed ? 2 : 1);
  });

  if (isStored) return;
  test.each(versions)('by POST in %s', async (version) => {
    await crons.turn({ Foo: foo, Qux: qux });
    const { body } = await crons.call('POST', cronsPath(version), cron(newName(), wanted, version));
    expect(body.spec).toEqual(expected);
  });
});

describe('a version that does not know a gated field', () => {
  const narrow = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { image: { type: 'string' } } } },
  };
  const crd = (enabled: boolean) =>
    cronCrd(
      [{ ...alphaGate('Replicas', '.spec.replicas'), enabled }],
      [cronVersion('v1'), cronVersion('v1beta1', { schema: { openAPIV3Schema: narrow }, subresources: {} })],
    );

  test('does not lose it while the gate is disabled, says nothing of it, and counts only its own changes', async () => {
    await using own = await startCrons({ crds: [crd(true)] });
    await own.call('POST', cronsPath(), cron('a', { spec: { image: 'one', replicas: 3 } }));
    await own.turn({ Replicas: false });
    const old = (await own.call('GET', `${cronsPath('v1beta1')}/a`)).body;
    expect(old.spec).toEqual({ image: 'one' });
    const same = await own.call('PUT', `${cronsPath('v1beta1')}/a`, old);
    expect(same.warnings).toEqual([]);
    expect(same.body.metadata).toEqual(old.metadata);
    const changed = await own.call('PUT', `${cronsPath('v1beta1')}/a`, { ...old, spec: { image: 'two' } });
    expect(changed.body.spec).toEqual({ image: 'two' });
    const { body } = await own.call('GET', `${cronsPath()}/a`);
    expect(body.spec).toEqual({ image: 'two', replicas: 3 });
    expect(body.metadata.generation).toBe(2);
  });

  test('nor through other changes, nor when it is marked for deletion there', async () => {
    await using own = await startCrons({ crds: [crd(true)] });
    const finalizers = ['example.com/hold'];
    await own.call('POST', cronsPath(), {
      ...cron('a', { spec: { replicas: 3 } }),
      metadata: { name: 'a', finalizers },
    });
    await own.turn({ Replicas: false });
    const patch = { metadata: { labels: { a: 'b' } } };
    await own.call('PATCH', `${cronsPath('v1beta1')}/a`, patch, mergePatch);
    await own.call('DELETE', `${cronsPath('v1beta1')}/a`);
    const { body } = await own.call('GET', `${cronsPath()}/a`);
    expect(body.metadata.deletionTimestamp).toEqual(expect.any(String));
    expect(body.spec).toEqual({ replicas: 3 });
  });
});
