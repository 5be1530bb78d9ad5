import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultFeatureGates, type JsonObject } from '../../src/meta/index.ts';
import {
  applyPatch,
  collection,
  scalableWidgetCrd,
  type Widgets,
  widgetScale,
  scalableSchema,
  scalableVersion,
  mergePatch,
  scale,
  startWidgets,
} from '../fixtures/scalable-widgets.ts';
import { widgetOf } from '../fixtures/widgets.ts';

/** Where the design proposal of subresources and what upstream shipped differ, row by row. What shipped counts. */

let widgets: Widgets;
let call: Widgets['call'];
beforeAll(async () => {
  widgets = await startWidgets({
    crds: [
      scalableWidgetCrd([
        scalableVersion('v1'),
        scalableVersion('v2', { status: {} }),
        scalableVersion('v3', {}),
      ]),
    ],
  });
  ({ call } = widgets);
});
afterAll(() => widgets.server.close());

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const plant = (name: string, rest: JsonObject) => call('POST', collection, widgetOf(name, rest));

/** What a server says to a CRD of another group with these subresources. */
async function dryCrd(subresources: JsonObject, schema: JsonObject = scalableSchema) {
  const version = { ...scalableVersion('v1', subresources), schema: { openAPIV3Schema: schema } };
  const crd = JSON.parse(
    JSON.stringify(scalableWidgetCrd([version])).replaceAll('example.com', 'other.example.com'),
  );
  const { code, body } = await call('POST', `${crds}?dryRun=All`, crd);
  return { code, message: body.message };
}

describe('where subresources are declared', () => {
  test('each version has its own', async () => {
    await plant('versioned', { spec: { rows: 3 } });
    const at = (version: string, name: string) =>
      call('GET', `${collection.replace('v1', version)}/versioned/${name}`);
    expect([(await at('v1', 'status')).code, (await at('v1', 'scale')).code]).toEqual([200, 200]);
    expect([(await at('v2', 'status')).code, (await at('v2', 'scale')).code]).toEqual([200, 404]);
    expect([(await at('v3', 'status')).code, (await at('v3', 'scale')).code]).toEqual([404, 404]);
    expect((await at('v2', 'scale')).body.message).toBe('widgets.example.com "versioned" not found');
    expect((await at('v1', 'log')).body).toMatchObject({ code: 404, reason: 'NotFound' });
  });

  test("discovery shows them in upstream's order, with the kind that they speak", async () => {
    const { body } = await call('GET', '/apis/example.com/v1');
    expect(body.resources.slice(1)).toEqual([
      {
        name: 'widgets/status',
        singularName: '',
        namespaced: true,
        kind: 'Widget',
        verbs: ['get', 'patch', 'update'],
      },
      {
        name: 'widgets/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get', 'patch', 'update'],
      },
    ]);
  });

  const under = (part: string) => `should be a json path under ${part}`;
  test.each([
    ['a spec path elsewhere', { specReplicasPath: '.status.rows' }, under('.spec')],
    ['a status path elsewhere', { statusReplicasPath: '.spec.rows' }, under('.status')],
    ['no status path', { statusReplicasPath: '' }, 'statusReplicasPath: Required value'],
    ['a selector elsewhere', { labelSelectorPath: '.metadata.labels' }, under('either .spec or .status')],
  ])('a CRD with %s is refused', async (_, paths, text) => {
    const { code, message } = await dryCrd({ scale: { ...widgetScale, ...paths } });
    expect(code).toBe(422);
    expect(message).toContain(text);
  });

  test('a selector may stand in the spec, and paths are not looked up in the schema', async () => {
    const paths = { ...widgetScale, labelSelectorPath: '.spec.labels', specReplicasPath: '.spec.no.such[0]' };
    expect(await dryCrd({ scale: paths })).toEqual({ code: 201, message: undefined });
  });

  test('with /status the root of a schema has an allow-list', async () => {
    const root = { ...scalableSchema, oneOf: [{ required: ['spec'] }] };
    const { code, message } = await dryCrd({ status: {} }, root);
    expect(code).toBe(422);
    expect(message).toContain(
      'fields are allowed at the root of the schema if the status subresource is enabled',
    );
    expect((await dryCrd({}, root)).code).toBe(201);
  });

  test('without the feature gate there are none', async () => {
    const featureGates = { ...defaultFeatureGates(), CustomResourceSubResources: false };
    await using off = await startWidgets({ featureGates });
    await off.call('POST', collection, widgetOf('a', { spec: { rows: 1 }, status: { rows: 2 } }));
    expect((await off.call('GET', `${collection}/a`)).body.status).toEqual({ rows: 2 });
    expect((await off.call('GET', `${collection}/a/scale`)).code).toBe(404);
    expect((await off.call('PUT', `${collection}/a/status`, widgetOf('a'))).code).toBe(404);
  });
});

describe('what /status looks at', () => {
  const status = (name: string, patch: JsonObject) =>
    call('PATCH', `${collection}/${name}/status`, patch, mergePatch);

  test('metadata, spec and other fields are not taken, and generation stays', async () => {
    const before = (await plant('only', { spec: { size: 1 }, extra: 'kept', status: { size: 9 } })).body;
    expect(before).not.toHaveProperty('status');
    const { body } = await call('PUT', `${collection}/only/status`, {
      ...before,
      metadata: {
        ...before.metadata,
        labels: { a: 'b' },
        annotations: { a: 'b' },
        finalizers: ['example.com/stay'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: 'default', uid: 'x' }],
      },
      spec: { size: 2 },
      extra: 'changed',
      status: { size: 3 },
    });
    const { managedFields: _, ...metadata } = before.metadata;
    expect(body).toMatchObject({ spec: { size: 1 }, extra: 'kept', status: { size: 3 } });
    expect(body.metadata).toEqual({
      ...metadata,
      resourceVersion: expect.any(String),
      managedFields: expect.any(Array),
    });
    const after = await call('GET', `${collection}/only`);
    expect(after.body).toEqual(body);
  });

  test('the status of a CRD goes with its metadata, as upstream has it', async () => {
    const path = `${crds}/widgets.example.com`;
    const patch = { metadata: { labels: { a: 'b' } }, spec: { scope: 'Cluster' } };
    const { body } = await call('PATCH', `${path}/status`, patch, mergePatch);
    expect(body).toMatchObject({ metadata: { labels: { a: 'b' } }, spec: { scope: 'Namespaced' } });
  });

  test('the main endpoint does not take a status: it keeps the old one, or none', async () => {
    await plant('split', { spec: { size: 1 } });
    const merge = (patch: JsonObject) => call('PATCH', `${collection}/split`, patch, mergePatch);
    expect((await merge({ status: { size: 1 } })).body).not.toHaveProperty('status');
    await status('split', { status: { size: 2 } });
    expect((await merge({ status: null, spec: { size: 2 } })).body).toMatchObject({
      metadata: { generation: 2 },
      spec: { size: 2 },
      status: { size: 2 },
    });
    const gone = await status('split', { status: null });
    expect(gone.body).not.toHaveProperty('status');
    expect(gone.body.metadata.generation).toBe(2);
  });

  test('generation counts every change outside metadata, and the status where it has no endpoint', async () => {
    const at = (version: string, patch: JsonObject) =>
      call('PATCH', `${collection.replace('v1', version)}/counted`, patch, mergePatch);
    await plant('counted', { spec: { size: 1 } });
    const generations = [
      await at('v1', { metadata: { labels: { a: 'b' } } }),
      await at('v1', { extra: 'x' }),
      await at('v1', { status: { size: 1 } }),
      await status('counted', { status: { size: 1 } }),
      await at('v3', { status: { size: 2 } }),
      await at('v1', { spec: { size: 1 } }),
    ].map(({ body }) => body.metadata.generation);
    expect(generations).toEqual([1, 2, 2, 2, 3, 3]);
    await plant('scaled', { spec: { replicas: 1 } });
    const scaled = `${collection}/scaled`;
    await call('PATCH', `${scaled}/scale`, { spec: { replicas: 2 } }, mergePatch);
    await call('PATCH', `${scaled}/scale`, { spec: { replicas: 2 } }, mergePatch);
    expect((await call('GET', scaled)).body.metadata.generation).toBe(2);
  });

  test('the schema of the status alone, with paths as upstream writes them', async () => {
    await plant('checked', { spec: { size: 1 } });
    expect((await status('checked', { spec: { size: 11 }, status: { size: 10 } })).code).toBe(200);
    const { code, body } = await status('checked', { status: { size: 15, seen: { a: 'x' } } });
    expect(code).toBe(422);
    expect(body.details.causes).toEqual([
      {
        reason: 'FieldValueTypeInvalid',
        field: 'status.seen.a',
        message: 'Invalid value: "string": seen.a in body must be of type integer: "string"',
      },
      {
        reason: 'FieldValueInvalid',
        field: 'status.size',
        message: 'Invalid value: 15: size in body should be less than or equal to 10',
      },
    ]);
  });

  test('a status that was wrong before may stay wrong, and a wrong spec does not matter', async () => {
    await using old = await startWidgets();
    const strict = JSON.stringify(scalableWidgetCrd());
    const loose = JSON.parse(
      strict
        .replaceAll('"maximum":10', '"maximum":100')
        .replace('"x-kubernetes-embedded-resource":true,', ''),
    );
    const replace = async (crd: JsonObject) => {
      const { body } = await old.call('GET', `${crds}/widgets.example.com`);
      const sent = { ...body, spec: crd['spec'] };
      expect((await old.call('PUT', `${crds}/widgets.example.com`, sent)).code).toBe(200);
    };
    await replace(loose);
    await old.call('POST', collection, widgetOf('a', { spec: { size: 50, shed: { wood: 'oak' } } }));
    await old.call('PATCH', `${collection}/a/status`, { status: { size: 50 } }, mergePatch);
    await replace(scalableWidgetCrd());
    const write = (value: JsonObject) =>
      old.call('PATCH', `${collection}/a/status`, { status: value }, mergePatch);
    expect((await write({ rows: 1 })).body.status).toEqual({ rows: 1, size: 50 });
    expect((await write({ size: 51 })).code).toBe(422);
    const main = await old.call('PATCH', `${collection}/a`, { extra: 'x' }, mergePatch);
    expect(main.body.message).toContain('spec.shed.kind: Required value');
  });

  test('duplicates in a set anywhere in the object, tolerated where they were there before', async () => {
    const openAPIV3Schema = {
      type: 'object',
      properties: {
        status: {
          type: 'object',
          properties: {
            set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          },
        },
      },
    };
    const version = { ...scalableVersion('v1'), schema: { openAPIV3Schema } };
    await using sets = await startWidgets({ crds: [scalableWidgetCrd([version])] });
    await sets.call('POST', collection, widgetOf('a'));
    const patch = { status: { set: ['x', 'x'] } };
    const { code, body } = await sets.call('PATCH', `${collection}/a/status`, patch, mergePatch);
    expect(code).toBe(422);
    expect(body.message).toBe('Widget.example.com "a" is invalid: status.set[1]: Duplicate value: "x"');
  });

  test('the fields that it writes are owned with the subresource', async () => {
    await plant('owned', { spec: { size: 1 } });
    const applied = widgetOf('owned', {
      metadata: { name: 'owned', labels: { a: 'b' } },
      status: { size: 4 },
    });
    const path = `${collection}/owned/status?fieldManager=widgeter`;
    const { body } = await call('PATCH', path, { ...applied, spec: { size: 2 } }, applyPatch);
    expect(body).toMatchObject({ spec: { size: 1 }, status: { size: 4 } });
    expect(body.metadata).not.toHaveProperty('labels');
    expect(body.metadata.managedFields).toContainEqual({
      manager: 'widgeter',
      operation: 'Apply',
      apiVersion: 'example.com/v1',
      subresource: 'status',
      time: expect.any(String),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:status': { 'f:size': {} } },
    });
  });
});

describe('what /scale looks at', () => {
  test('missing replicas: GET fails, PUT sets them, a PATCH must set them', async () => {
    await plant('bare', { spec: { size: 1 } });
    const path = `${collection}/bare/scale`;
    const why = 'the spec replicas field ".spec.rows" does not exist';
    expect((await call('GET', path)).body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `Internal error occurred: ${why}`,
      reason: 'InternalError',
      details: { causes: [{ message: why }] },
      code: 500,
    });
    expect((await call('PATCH', path, { metadata: { labels: {} } }, mergePatch)).body).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: 'the spec replicas field ".spec.rows" cannot be empty',
    });
    expect((await call('PUT', path, scale('bare', 5))).body.spec).toEqual({ replicas: 5 });
    expect((await call('GET', `${collection}/bare`)).body.spec).toEqual({ size: 1, rows: 5 });
  });

  test('a patch may set replicas that were missing', async () => {
    await plant('patched', {});
    const path = `${collection}/patched/scale`;
    expect((await call('PATCH', path, { spec: { replicas: 2 } }, mergePatch)).body.spec).toEqual({
      replicas: 2,
    });
  });

  test('a selector is any text, shown as it is', async () => {
    await plant('selected', { spec: { rows: 1 } });
    const status = { rows: 4, plants: 'not = a (selector' };
    await call('PATCH', `${collection}/selected/status`, { status }, mergePatch);
    const { body } = await call('GET', `${collection}/selected/scale`);
    expect(body.status).toEqual({ replicas: 4, selector: 'not = a (selector' });
  });

  test('array notation in a path is the literal name of a field', async () => {
    const subresources = { scale: { ...widgetScale, specReplicasPath: '.spec.rows[0]' } };
    const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const version = { ...scalableVersion('v1', subresources), schema: { openAPIV3Schema } };
    await using literal = await startWidgets({ crds: [scalableWidgetCrd([version])] });
    await literal.call('POST', collection, widgetOf('a', { spec: { 'rows[0]': 2 } }));
    const put = await literal.call('PUT', `${collection}/a/scale`, scale('a', 3));
    expect(put.body.spec).toEqual({ replicas: 3 });
    expect((await literal.call('GET', `${collection}/a`)).body.spec).toEqual({ 'rows[0]': 3 });
  });
});
