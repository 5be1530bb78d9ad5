import { describe, expect, test } from 'vitest';
import { type JsonObject, type KubeObject, parseFeatureGates } from '../../src/meta/index.ts';
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
  ownersOf,
  startCrons,
} from './gated.test-support.ts';

/** What the matrices do not say: who owns what, defaults, warnings, and the life of a gate. */

const replicas = alphaGate('Replicas', '.spec.replicas');
const one = `${cronsPath()}/one`;

/** The schema of the spec; other fields as in {@link cronVersion}. */
const specVersion = (spec: JsonObject) =>
  cronVersion('v1', {
    subresources: {},
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  });
const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });
const integer = { type: 'integer' };

/** Server-side apply of a spec by a manager. */
const apply = ({ call }: Crons, manager: string, spec: JsonObject | undefined, query = '') =>
  call(
    'PATCH',
    `${one}?fieldManager=${manager}${query}`,
    cron('one', spec === undefined ? {} : { spec }),
    applyPatch,
  );
const read = async ({ call }: Crons, name = 'one') => (await call('GET', `${cronsPath()}/${name}`)).body;
const unchanged = ['CronTab spec.replicas: unchanged (feature gate Replicas is disabled)'];
const dropped = ['CronTab spec.replicas: dropped (feature gate Replicas is disabled)'];

describe('server-side apply while a gate is disabled', () => {
  const start = async () => startCrons({ crds: [cronCrd([replicas])] });
  /** A crontab whose three replicas are owned by alice; the gate is disabled since. */
  const startWithAlice = async () => {
    const crons = await start();
    await crons.turn({ Replicas: true });
    await apply(crons, 'alice', { image: 'a', replicas: 3 });
    await crons.turn({ Replicas: false });
    return crons;
  };

  test('two managers do not conflict about a field that is dropped', async () => {
    await using crons = await start();
    expect(await apply(crons, 'alice', { replicas: 3 })).toMatchObject({ code: 201, warnings: dropped });
    expect(await apply(crons, 'bob', { replicas: 5 })).toMatchObject({ code: 200, warnings: dropped });
    const stored = await read(crons);
    expect(stored.spec).toEqual({});
    expect(ownersOf(stored, 'spec.replicas')).toEqual([]);
    await crons.turn({ Replicas: true });
    expect((await apply(crons, 'bob', { replicas: 5 })).body.spec).toEqual({ replicas: 5 });
    const { code, body } = await apply(crons, 'alice', { replicas: 3 });
    expect({ code, message: body.message }).toEqual({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "bob": .spec.replicas',
    });
  });

  test('nor about one that stays as it is, whose owner it stays', async () => {
    await using crons = await startWithAlice();
    const { code, body, warnings } = await apply(crons, 'bob', { cronSpec: 'b', replicas: 5 });
    expect({ code, warnings }).toEqual({ code: 200, warnings: unchanged });
    expect(body.spec).toEqual({ image: 'a', cronSpec: 'b', replicas: 3 });
    expect(ownersOf(body, 'spec.replicas')).toEqual(['alice']);
    const forced = await apply(crons, 'bob', { cronSpec: 'b', replicas: 5 }, '&force=true');
    expect(forced.body).toEqual(body);
  });

  test('the same value is not shared either: nothing happens to the field', async () => {
    await using crons = await startWithAlice();
    const { body, warnings } = await apply(crons, 'bob', { replicas: 3 });
    expect(warnings).toEqual([]);
    expect(ownersOf(body, 'spec.replicas')).toEqual(['alice']);
  });

  test.each([{ image: 'a' }, {}, undefined])(
    'an owner who applies %j keeps the field and its value, until the gate is enabled',
    async (spec) => {
      await using crons = await startWithAlice();
      const { body, warnings } = await apply(crons, 'alice', spec);
      expect(warnings).toEqual(unchanged);
      expect(body.spec.replicas).toBe(3);
      expect(ownersOf(body, 'spec.replicas')).toEqual(['alice']);
      await crons.turn({ Replicas: true });
      expect((await apply(crons, 'alice', spec)).body.spec?.replicas).toBe(undefined);
    },
  );

  test('another value of the owner waits for the gate', async () => {
    await using crons = await startWithAlice();
    const { body } = await apply(crons, 'alice', { image: 'a', replicas: 7 });
    expect(body.spec.replicas).toBe(3);
    expect(body.metadata.generation).toBe(1);
    await crons.turn({ Replicas: true });
    const { body: later } = await apply(crons, 'alice', { image: 'a', replicas: 7 });
    expect(later.spec.replicas).toBe(7);
    expect(later.metadata.generation).toBe(2);
  });

  test('an update takes no field from its owner that it could not change', async () => {
    await using crons = await startWithAlice();
    const { body } = await crons.call('PATCH', one, { spec: { image: 'b', replicas: 5 } }, mergePatch);
    expect(body.spec).toEqual({ image: 'b', replicas: 3 });
    expect(ownersOf(body, 'spec.replicas')).toEqual(['alice']);
    expect(ownersOf(body, 'spec.image')).not.toEqual(['alice']);
  });

  test('a Scale is applied without a conflict, and changes no owners', async () => {
    await using crons = await startWithAlice();
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'one' },
      spec: { replicas: 5 },
    };
    const { code, body, warnings } = await crons.call(
      'PATCH',
      `${one}/scale?fieldManager=bob`,
      scale,
      applyPatch,
    );
    expect({ code, warnings, spec: body.spec }).toEqual({
      code: 200,
      warnings: unchanged,
      spec: { replicas: 3 },
    });
    expect(ownersOf(await read(crons), 'spec.replicas')).toEqual(['alice']);
  });

  test('no write of a Scale changes what is off, and the generation stays', async () => {
    await using crons = await startWithAlice();
    const { generation } = (await read(crons)).metadata;
    const scale = (await crons.call('GET', `${one}/scale`)).body;
    const put = await crons.call('PUT', `${one}/scale`, { ...scale, spec: { replicas: 7 } });
    const patched = await crons.call('PATCH', `${one}/scale`, { spec: { replicas: 7 } }, mergePatch);
    for (const { code, body, warnings } of [put, patched]) {
      expect({ code, warnings, spec: body.spec }).toEqual({
        code: 200,
        warnings: unchanged,
        spec: { replicas: 3 },
      });
    }
    expect((await read(crons)).metadata.generation).toBe(generation);
  });

  test('a Scale cannot bring in replicas that are off; there is none to read then', async () => {
    await using crons = await start();
    await crons.call('POST', cronsPath(), cron('one', { spec: { image: 'a' } }));
    expect((await crons.call('GET', `${one}/scale`)).code).toBe(500);
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'one' } };
    const { code, body, warnings } = await crons.call('PUT', `${one}/scale`, {
      ...scale,
      spec: { replicas: 7 },
    });
    expect({ code, spec: body.spec, warnings }).toEqual({ code: 200, spec: {}, warnings: dropped });
    expect((await read(crons)).spec).toEqual({ image: 'a' });
  });

  test('a map that merges as a whole is no conflict because of the field in it', async () => {
    const spec = object(
      { image: { type: 'string' }, replicas: integer },
      { 'x-kubernetes-map-type': 'atomic' },
    );
    await using crons = await startCrons({ crds: [cronCrd([replicas], [specVersion(spec)])] });
    await crons.turn({ Replicas: true });
    await apply(crons, 'alice', { image: 'a', replicas: 3 });
    await crons.turn({ Replicas: false });
    expect((await apply(crons, 'bob', { image: 'a', replicas: 5 })).code).toBe(200);
    expect((await apply(crons, 'bob', { image: 'a' })).code).toBe(200);
    expect((await read(crons)).spec).toEqual({ image: 'a', replicas: 3 });
    expect((await apply(crons, 'bob', { image: 'b' })).code).toBe(409);
  });

  test("kubectl's note of what was applied shows all of it", async () => {
    await using crons = await start();
    const noted = 'kubectl.kubernetes.io/last-applied-configuration';
    const annotations = { [noted]: '{"spec":{}}' };
    await crons.call('POST', cronsPath(), { ...cron('one'), metadata: { name: 'one', annotations } });
    const { body } = await apply(crons, 'kubectl', { image: 'a', replicas: 3 }, '&force=true');
    expect(body.spec).toEqual({ image: 'a' });
    expect(JSON.parse(body.metadata.annotations[noted]).spec).toEqual({ image: 'a', replicas: 3 });
  });
});

describe('defaults of gated fields', () => {
  const spec = object({
    image: { type: 'string' },
    replicas: { ...integer, default: 1 },
    foo: object({ baz: integer, qux: { ...integer, default: 2 } }, { default: { baz: 5 } }),
  });
  const gates = [replicas, alphaGate('Qux', '.spec.foo.qux')];
  const post = ({ call }: Crons, body: JsonObject) => call('POST', cronsPath(), cron('one', body));

  test('do not bring back what a gate drops, be it on create, on read, or on update', async () => {
    await using crons = await startCrons({ crds: [cronCrd(gates, [specVersion(spec)])] });
    const created = await post(crons, { spec: {} });
    expect(created.warnings).toEqual([]);
    expect(created.body.spec).toEqual({ foo: { baz: 5 } });
    expect((await read(crons)).spec).toEqual({ foo: { baz: 5 } });
    const updated = await crons.call('PATCH', one, { spec: { image: 'a', foo: {} } }, mergePatch);
    expect(updated.body.spec).toEqual({ image: 'a', foo: { baz: 5 } });
    expect(updated.warnings).toEqual([]);
  });

  test('appear at the next read once the gate is enabled, and disappear with it without a write', async () => {
    await using crons = await startCrons({ crds: [cronCrd(gates, [specVersion(spec)])] });
    await post(crons, { spec: {} });
    await crons.turn({ Replicas: true, Qux: true });
    expect((await read(crons)).spec).toEqual({ replicas: 1, foo: { baz: 5, qux: 2 } });
    await crons.turn({ Replicas: false, Qux: false });
    expect((await read(crons)).spec).toEqual({ foo: { baz: 5 } });
    await crons.turn({ Replicas: true, Qux: true });
    await crons.call('PATCH', one, { spec: { image: 'a' } }, mergePatch);
    await crons.turn({ Replicas: false, Qux: false });
    expect((await read(crons)).spec).toEqual({ image: 'a', replicas: 1, foo: { baz: 5, qux: 2 } });
  });

  test('come in all versions alike', async () => {
    const v1beta1 = { ...specVersion(spec), name: 'v1beta1', storage: false };
    await using crons = await startCrons({ crds: [cronCrd(gates, [specVersion(spec), v1beta1])] });
    const path = cronsPath('v1beta1');
    const created = await crons.call('POST', path, cron('one', { spec: {} }, 'v1beta1'));
    expect(created.body.spec).toEqual({ foo: { baz: 5 } });
    expect(created.warnings).toEqual([]);
  });
});

describe('what comes after the gates sees what will be stored', () => {
  const spec = object(
    { image: { type: 'string' }, replicas: { ...integer, minimum: 0 }, size: integer },
    {
      'x-kubernetes-validations': [
        { rule: '!has(self.replicas) || self.replicas < 10', message: 'too many' },
      ],
    },
  );
  const start = () => startCrons({ crds: [cronCrd([replicas], [specVersion(spec)])] });

  test('a value that is dropped is not validated, by schema or by rule', async () => {
    await using crons = await start();
    for (const value of [-1, 11, 'x']) {
      const { code, warnings } = await crons.call(
        'POST',
        `${cronsPath()}?dryRun=All`,
        cron('one', { spec: { replicas: value } }),
      );
      expect({ code, warnings }).toEqual({ code: 201, warnings: dropped });
    }
  });

  test('nor is one that stays as it is', async () => {
    await using crons = await start();
    await crons.turn({ Replicas: true });
    await crons.call('POST', cronsPath(), cron('one', { spec: { replicas: 3 } }));
    await crons.turn({ Replicas: false });
    const { code, body } = await crons.call('PATCH', one, { spec: { replicas: 11 } }, mergePatch);
    expect({ code, replicas: body.spec.replicas }).toEqual({ code: 200, replicas: 3 });
  });

  test('a required field whose gate is disabled is missing, and the error says why', async () => {
    const required = object({ replicas: integer }, { required: ['replicas'] });
    await using crons = await startCrons({ crds: [cronCrd([replicas], [specVersion(required)])] });
    const { code, body, warnings } = await crons.call(
      'POST',
      cronsPath(),
      cron('one', { spec: { replicas: 3 } }),
    );
    expect({ code, message: body.message, warnings }).toEqual({
      code: 422,
      message: 'CronTab.stable.example.com "one" is invalid: spec.replicas: Required value',
      warnings: dropped,
    });
  });

  test('nor does a column or a selector show what was dropped, but what is stored', async () => {
    const version = {
      ...cronVersion('v1'),
      selectableFields: [{ jsonPath: '.spec.replicas' }],
      additionalPrinterColumns: [{ name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' }],
    };
    await using crons = await startCrons({ crds: [cronCrd([replicas], [version])] });
    const selected = async (value: number) => {
      const query = `fieldSelector=${encodeURIComponent(`spec.replicas=${value}`)}`;
      const { body } = await crons.call('GET', `${cronsPath()}?${query}`);
      return body.items.map((item: KubeObject) => (item.metadata as JsonObject)['name']);
    };
    const column = async () => {
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
      const response = await crons.server.fetch(one, { headers: { accept } });
      return JSON.parse(await response.text()).rows[0].cells[1];
    };
    await crons.call('POST', cronsPath(), cron('one', { spec: { replicas: 3 } }));
    expect({ selected: await selected(3), column: await column() }).toEqual({ selected: [], column: null });
    await crons.turn({ Replicas: true });
    await crons.call('PATCH', one, { spec: { replicas: 3 } }, mergePatch);
    await crons.turn({ Replicas: false });
    await crons.call('PATCH', one, { spec: { replicas: 5 } }, mergePatch);
    expect({ selected: await selected(3), column: await column() }).toEqual({ selected: ['one'], column: 3 });
    expect(await selected(5)).toEqual([]);
  });

  test('a field is no unknown field because it is gated', async () => {
    await using crons = await start();
    const path = `${cronsPath()}?fieldValidation=Strict`;
    expect((await crons.call('POST', path, cron('one', { spec: { replicas: 3 } }))).code).toBe(201);
  });
});

describe('warnings', () => {
  const old = { name: 'Old', preRelease: 'deprecated', default: true, fieldPaths: ['.spec.foo'] };

  test('a deprecated field causes a warning with the default text, or that of the CRD', async () => {
    await using crons = await startCrons({ crds: [cronCrd([old])] });
    const create = (name: string) =>
      crons.call('POST', cronsPath(), cron(name, { spec: { foo: { baz: 1 } } }));
    expect(await create('one')).toMatchObject({
      code: 201,
      warnings: ['CronTab spec.foo: deprecated (feature gate Old)'],
    });
    const patch = (spec: JsonObject) => crons.call('PATCH', one, { spec }, mergePatch);
    expect((await patch({ image: 'a' })).warnings).toEqual([]);
    expect((await patch({ foo: { baz: 1 } })).warnings).toEqual([]);
    expect((await patch({ foo: { baz: 2 } })).warnings).toHaveLength(1);
    const said = { op: 'add', path: '/spec/customFeatureGates/featureGates/0/fieldDeprecationWarning' };
    await crons.call(
      'PATCH',
      crdPath,
      [{ ...said, value: 'spec.foo goes in v2; use spec.image' }],
      jsonPatch,
    );
    expect((await create('two')).warnings).toEqual(['spec.foo goes in v2; use spec.image']);
  });

  test('a field that is dropped with its parent causes a warning', async () => {
    await using crons = await startCrons({ crds: [cronCrd([alphaGate('Qux', '.spec.foo.qux')])] });
    await crons.turn({ Qux: true });
    await crons.call('POST', cronsPath(), cron('one', { spec: { foo: { baz: 1, qux: 2 } } }));
    await crons.turn({ Qux: false });
    const { body, warnings } = await crons.call(
      'PATCH',
      one,
      [{ op: 'remove', path: '/spec/foo' }],
      jsonPatch,
    );
    expect(body.spec).toEqual({});
    expect(warnings).toEqual([
      'CronTab spec.foo.qux: removed together with spec.foo (feature gate Qux is disabled)',
    ]);
  });

  test('the status is no matter of the main endpoint, nor the spec of /status', async () => {
    await using crons = await startCrons({ crds: [cronCrd([replicas, alphaGate('Load', '.status.load')])] });
    const both = { spec: { replicas: 3 }, status: { load: 7 } };
    expect((await crons.call('POST', cronsPath(), cron('one', both))).warnings).toEqual(dropped);
    expect((await crons.call('PATCH', one, both, mergePatch)).warnings).toEqual(dropped);
    const { warnings } = await crons.call('PATCH', `${one}/status`, both, mergePatch);
    expect(warnings).toEqual(['CronTab status.load: dropped (feature gate Load is disabled)']);
  });

  test('without the subresource the status is a field like any other', async () => {
    const plain = cronVersion('v1', { subresources: {} });
    await using crons = await startCrons({ crds: [cronCrd([alphaGate('Load', '.status.load')], [plain])] });
    const { body } = await crons.call('POST', cronsPath(), cron('one', { status: { load: 7, replicas: 1 } }));
    expect(body.status).toEqual({ replicas: 1 });
  });

  test('a dry run says what the real thing would', async () => {
    await using crons = await startCrons({ crds: [cronCrd([replicas])] });
    const { body, warnings } = await crons.call(
      'POST',
      `${cronsPath()}?dryRun=All`,
      cron('one', { spec: { replicas: 3 } }),
    );
    expect({ spec: body.spec, warnings }).toEqual({ spec: {}, warnings: dropped });
  });
});

describe('turning a gate', () => {
  test('by JSON patch, as the KEP has it, takes effect at the next request and changes no object', async () => {
    await using crons = await startCrons({
      crds: [cronCrd([{ ...replicas, enabled: true, default: false }])],
    });
    const enable = (value: boolean) =>
      crons.call(
        'PATCH',
        crdPath,
        [{ op: 'replace', path: '/spec/customFeatureGates/featureGates/0/enabled', value }],
        jsonPatch,
      );
    const { body: created } = await crons.call('POST', cronsPath(), cron('one', { spec: { replicas: 3 } }));
    for (const enabled of [false, true, false]) {
      expect((await enable(enabled)).code).toBe(200);
      expect(await read(crons)).toEqual(created);
      const { body } = await crons.call('PATCH', `${one}?dryRun=All`, { spec: { replicas: 5 } }, mergePatch);
      expect(body.spec.replicas).toBe(enabled ? 5 : 3);
    }
  });

  test('by apply: what an admin has enabled survives the next apply of the owner (Scenario 1 of the KEP)', async () => {
    await using crons = await startCrons({ crds: [] });
    const applyCrd = (manager: string, gates: JsonObject[], head: JsonObject = cronCrd([])) => {
      const spec = { ...(head['spec'] as JsonObject), customFeatureGates: { featureGates: gates } };
      return crons.call('PATCH', `${crdPath}?fieldManager=${manager}`, { ...head, spec }, applyPatch);
    };
    const head = { ...cronCrd([]), spec: {} };
    expect((await applyCrd('owner', [replicas, alphaGate('Foo', '.spec.foo')])).code).toBe(201);
    const admin = await applyCrd('admin', [{ name: 'Foo', enabled: true }], head);
    expect({ code: admin.code, gates: admin.body.spec.customFeatureGates.featureGates }).toEqual({
      code: 200,
      gates: [replicas, { ...alphaGate('Foo', '.spec.foo'), enabled: true }],
    });
    const promoted = { ...alphaGate('Foo', '.spec.foo', '.spec.image'), preRelease: 'beta' };
    const owner = await applyCrd('owner', [promoted, replicas]);
    expect(owner.code).toBe(200);
    expect(owner.body.spec.customFeatureGates.featureGates).toEqual(
      expect.arrayContaining([{ ...promoted, enabled: true }, replicas]),
    );
    const clash = await applyCrd('owner', [{ ...promoted, enabled: false }, replicas]);
    expect(clash).toMatchObject({ code: 409 });
    expect(clash.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "admin": .spec.customFeatureGates.featureGates[name="Foo"].enabled',
    );
  });

  test('shows a controller by the generation whether an update was made (Scenario 2 of the KEP)', async () => {
    await using crons = await startCrons({ crds: [cronCrd([replicas])] });
    await crons.turn({ Replicas: true });
    await crons.call('POST', cronsPath(), cron('one', { spec: { replicas: 3 } }));
    await crons.turn({ Replicas: false });
    const before = await read(crons);
    const put = (spec: JsonObject) => crons.call('PUT', one, { ...before, spec });
    const undone = await put({ replicas: 5 });
    expect(undone).toEqual({ code: 200, body: before, warnings: unchanged });
    const partly = await put({ replicas: 5, image: 'a' });
    expect(partly.body.spec).toEqual({ replicas: 3, image: 'a' });
    expect(partly.body.metadata.generation).toBe(2);
    await crons.turn({ Replicas: true });
    const { body } = await crons.call('PATCH', one, { spec: { replicas: 5 } }, mergePatch);
    expect(body.metadata.generation).toBe(3);
  });

  test('to stable enables it, whatever else it says; without the gate the field is as free', async () => {
    await using crons = await startCrons({ crds: [cronCrd([{ ...replicas, enabled: false }])] });
    const path = '/spec/customFeatureGates';
    const write = async () =>
      (await crons.call('POST', `${cronsPath()}?dryRun=All`, cron('one', { spec: { replicas: 3 } }))).body
        .spec;
    expect(await write()).toEqual({});
    const stable = [{ op: 'replace', path: `${path}/featureGates/0/preRelease`, value: 'stable' }];
    expect((await crons.call('PATCH', crdPath, stable, jsonPatch)).warnings).toEqual([
      'spec.customFeatureGates.featureGates[0].enabled: false has no effect: a stable gate is enabled',
    ]);
    expect(await write()).toEqual({ replicas: 3 });
    await crons.turn({ Replicas: undefined });
    await crons.call('PATCH', crdPath, [{ op: 'remove', path }], jsonPatch);
    expect(await write()).toEqual({ replicas: 3 });
  });

  test('an update that a gate undid is no event', async () => {
    await using crons = await startCrons({ crds: [cronCrd([{ ...replicas, enabled: true }])] });
    await crons.call('POST', cronsPath(), cron('one', { spec: { replicas: 3 } }));
    await crons.turn({ Replicas: false });
    const { resourceVersion } = (await read(crons)).metadata;
    const stop = new AbortController();
    const path = `${cronsPath()}?watch=true&resourceVersion=${resourceVersion}`;
    const response = await crons.server.fetch(path, { signal: stop.signal });
    await crons.call('PATCH', one, { spec: { replicas: 5 } }, mergePatch);
    await crons.call('PATCH', one, { spec: { image: 'a' } }, mergePatch);
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    stop.abort();
    const [first = ''] = Buffer.from(value ?? [])
      .toString()
      .split('\n');
    expect(JSON.parse(first).object.spec).toEqual({ replicas: 3, image: 'a' });
  });
});

test('metrics tell the states of gates, and what they dropped and froze', async () => {
  const crd = cronCrd([replicas, { name: 'Foo', preRelease: 'beta', fieldPaths: ['.spec.foo'] }]);
  await using crons = await startCrons({ crds: [crd] });
  const metrics = async () => {
    const text = await (await crons.server.fetch('/metrics')).text();
    return text.split('\n').filter((line) => /^ilk_custom_feature_(enabled|fields)/.test(line));
  };
  const labels = 'crd="crontabs.stable.example.com",name=';
  const expected = (enabled: number, dropped: number, frozen: number) => [
    `ilk_custom_feature_enabled{${labels}"Replicas",stage="alpha",component=""} ${enabled}`,
    `ilk_custom_feature_enabled{${labels}"Foo",stage="beta",component=""} 1`,
    `ilk_custom_feature_fields_dropped_total{${labels}"Replicas"} ${dropped}`,
    `ilk_custom_feature_fields_dropped_total{${labels}"Foo"} 0`,
    `ilk_custom_feature_fields_frozen_total{${labels}"Replicas"} ${frozen}`,
    `ilk_custom_feature_fields_frozen_total{${labels}"Foo"} 0`,
  ];
  expect(await metrics()).toEqual(expected(0, 0, 0));
  const spec = { spec: { replicas: 3 } };
  await crons.call('POST', cronsPath(), cron('one', spec));
  await apply(crons, 'alice', { replicas: 3 });
  await crons.call('PATCH', `${one}?dryRun=All`, spec, mergePatch);
  expect(await metrics()).toEqual(expected(0, 2, 0));
  await crons.turn({ Replicas: true });
  await crons.call('PATCH', one, spec, mergePatch);
  expect(await metrics()).toEqual(expected(1, 2, 0));
  await crons.turn({ Replicas: false });
  await crons.call('PATCH', one, { spec: { replicas: 5 } }, mergePatch);
  await crons.call('PATCH', one, { spec: { replicas: null } }, mergePatch);
  expect(await metrics()).toEqual(expected(0, 2, 2));
  await crons.call('DELETE', crdPath);
  await expect.poll(metrics).toEqual([]);
});

describe('objects with frozen fields are counted', () => {
  const gauge = async ({ server }: Crons) => {
    const text = await (await server.fetch('/metrics')).text();
    return text.split('\n').filter((line) => line.startsWith('ilk_custom_feature_frozen_objects{'));
  };
  const line = (count: number) =>
    `ilk_custom_feature_frozen_objects{crd="crontabs.stable.example.com",name="Replicas"} ${count}`;
  const frozen = async ({ call }: Crons) => {
    const { body } = await call('GET', crdPath);
    return body.status.conditions.find(({ type }: { type: string }) => type === 'FieldsFrozen');
  };

  test('as a metric of now, and in the status of the CRD as of when the gate was turned', async () => {
    await using crons = await startCrons({ crds: [cronCrd([{ ...replicas, enabled: true }])] });
    const create = (name: string, spec: JsonObject) => crons.call('POST', cronsPath(), cron(name, { spec }));
    await create('one', { replicas: 1 });
    await create('two', { replicas: 2 });
    await create('three', { image: 'replicas' });
    expect([await gauge(crons), await frozen(crons)]).toEqual([[], undefined]);
    await crons.turn({ Replicas: false });
    await expect.poll(() => gauge(crons)).toEqual([line(2)]);
    await expect
      .poll(() => frozen(crons), { timeout: 30_000 })
      .toMatchObject({
        status: 'True',
        reason: 'FeatureGatesDisabled',
        message: 'objects hold fields of feature gates that were disabled: Replicas (2)',
      });
    await crons.call('DELETE', one);
    expect(await gauge(crons)).toEqual([line(1)]);
    await crons.turn({ Replicas: true });
    await expect.poll(() => gauge(crons)).toEqual([]);
    await expect.poll(() => frozen(crons), { timeout: 30_000 }).toBe(undefined);
  });
});

describe('mistakes in gates', () => {
  test('are reported together', async () => {
    await using crons = await startCrons({ crds: [] });
    const { code, body } = await crons.call(
      'POST',
      crdPath.replace(/\/[^/]*$/, ''),
      cronCrd([
        { name: 'A', preRelease: 'alpha', default: true, fieldPaths: ['.spec.image', '.metadata.name'] },
        { name: 'A', preRelease: 'deprecated', fieldPaths: ['.spec.image', '.spec.list[0]'] },
      ]),
    );
    const at = 'spec.customFeatureGates.featureGates';
    expect(code).toBe(422);
    expect(body.details.causes.map((cause: JsonObject) => `${cause['field']}: ${cause['message']}`)).toEqual([
      `${at}[0].default: Invalid value: true: must be false when preRelease is alpha`,
      `${at}[0].fieldPaths[1]: Invalid value: ".metadata.name": must not point to apiVersion, kind or metadata`,
      `${at}[1].name: Duplicate value: "A"`,
      `${at}[1].default: Required value: must be specified when preRelease is deprecated`,
      `${at}[1].fieldPaths[0]: Duplicate value: ".spec.image"`,
      `${at}[1].fieldPaths[1]: Invalid value: ".spec.list[0]": must be a json path in the dot notation`,
    ]);
  });

  test('gates that cannot work draw warnings', async () => {
    await using crons = await startCrons({ crds: [] });
    const spec = object(
      { image: { type: 'string' }, list: { type: 'array', items: object({ a: integer }) } },
      {
        required: ['image'],
      },
    );
    const { code, warnings } = await crons.call(
      'POST',
      crdPath.replace(/\/[^/]*$/, ''),
      cronCrd([alphaGate('A', '.spec.image', '.spec.color', '.spec.list.a')], [specVersion(spec)]),
    );
    const at = 'spec.customFeatureGates.featureGates[0].fieldPaths';
    expect(code).toBe(201);
    expect(warnings).toEqual([
      `${at}[0]: ".spec.image" is a required field: no object can be created while the gate is disabled`,
      `${at}[1]: ".spec.color" is not a field of the storage version v1: the gate has no effect`,
      `${at}[2]: ".spec.list.a" is not a field of the storage version v1: the gate has no effect`,
    ]);
  });
});

test('with the server gate CRDFieldLevelVersioning off, new gates are dropped and stored ones do nothing', async () => {
  const featureGates = parseFeatureGates('CRDFieldLevelVersioning=false');
  await using crons = await startCrons({ crds: [cronCrd([replicas])], featureGates });
  expect((await crons.call('GET', crdPath)).body.spec).not.toHaveProperty('customFeatureGates');
  const { body, warnings } = await crons.call('POST', cronsPath(), cron('one', { spec: { replicas: 3 } }));
  expect({ spec: body.spec, warnings }).toEqual({ spec: { replicas: 3 }, warnings: [] });
});
