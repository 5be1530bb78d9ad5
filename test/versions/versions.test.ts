import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';
import { crdOf } from '../fixtures/crd.ts';

const text = { type: 'string' };
const textBy = (value: string) => ({ type: 'string', default: value });

function version(name: string, storage: boolean, properties: JsonObject) {
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  return { name, served: true, storage, schema: { openAPIV3Schema }, subresources: { status: {} } };
}

/** Objects are stored in v2; each version has a default that the other one only knows as a field. */
const crd = crdOf('Foo', {
  scope: 'Cluster',
  versions: [
    version('v1', false, { v1: textBy('from v1'), v2: text, inner: { type: 'object' } }),
    version('v2', true, { v1: text, v2: textBy('from v2'), inner: { type: 'object' } }),
  ],
});

/** v2 is stored and knows `b`; v1 knows `a`; both know `c`, which v1 selects by. */
const barCrd = crdOf('Bar', {
  scope: 'Cluster',
  versions: [
    {
      ...version('v1', false, { a: text, c: text }),
      selectableFields: [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.c' }],
    },
    { ...version('v2', true, { b: text, c: text }), selectableFields: [{ jsonPath: '.spec.b' }] },
  ],
});

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ crds: [crd, barCrd], listen: false });
});
afterAll(() => server.close());

async function call(method: string, path: string, body?: unknown, type = 'application/json') {
  const init = body === undefined ? {} : { headers: { 'content-type': type }, body: JSON.stringify(body) };
  const response = await server.fetch(path, { method, ...init });
  return { code: response.status, body: JSON.parse(await response.text()) };
}

const foo = (apiVersion: string, name: string) => ({ apiVersion, kind: 'Foo', metadata: { name }, spec: {} });

test('a create shows the defaults of the request version, and of the storage version that it was read back from', async () => {
  const { body } = await call('POST', '/apis/example.com/v1/foos', foo('example.com/v1', 'both'));
  expect(body.spec).toEqual({ v1: 'from v1', v2: 'from v2' });
  const dry = await call('POST', '/apis/example.com/v1/foos?dryRun=All', foo('example.com/v1', 'dry'));
  expect(dry.body.spec).toEqual({ v1: 'from v1', v2: 'from v2' });
});

test('a read shows the defaults of the version that the object is stored in, not those of the one that is asked for', async () => {
  await call('POST', '/apis/example.com/v2/foos', foo('example.com/v2', 'stored'));
  const { body } = await call('GET', '/apis/example.com/v1/foos/stored');
  expect(body).toMatchObject({ apiVersion: 'example.com/v1', spec: { v2: 'from v2' } });
  expect(body.spec).not.toHaveProperty('v1');
});

test('server-side apply of null to a field that cannot be null is refused, not dropped', async () => {
  const path = '/apis/example.com/v2/foos/null?fieldManager=me';
  const { code, body } = await call(
    'PATCH',
    path,
    { ...foo('example.com/v2', 'null'), spec: { inner: null } },
    'application/apply-patch+yaml',
  );
  expect(code).toBe(422);
  expect(body.message).toBe(
    'Foo.example.com "null" is invalid: spec.inner: Invalid value: "null": ' +
      'spec.inner in body must be of type object: "null"',
  );
});

test('an event is answered in the group that it was sent to, although both groups store it in the same form', async () => {
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'e' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/a',
    reportingInstance: 'a-1',
    action: 'Binding',
    reason: 'Bound',
    type: 'Normal',
    regarding: { kind: 'Foo', namespace: 'default', name: 'x' },
    note: 'it went well',
  };
  const { body } = await call('POST', '/apis/events.k8s.io/v1/namespaces/default/events', event);
  expect(body).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    note: 'it went well',
    regarding: { name: 'x' },
  });
  expect(body).not.toHaveProperty('message');
});

describe('strategy None', () => {
  const bar = (apiVersion: string, name: string, spec: JsonObject) => ({
    apiVersion: `example.com/${apiVersion}`,
    kind: 'Bar',
    metadata: { name },
    spec,
  });
  test('stores what the storage version has: a field of another version alone is lost', async () => {
    const created = await call(
      'POST',
      '/apis/example.com/v1/bars',
      bar('v1', 'x', { a: 'gone', c: 'stays' }),
    );
    expect(created.body.spec).toEqual({ c: 'stays' });
    const { body } = await call('GET', '/apis/example.com/v2/bars/x');
    expect(body).toMatchObject({ apiVersion: 'example.com/v2', spec: { c: 'stays' } });
    // Nor does it come back when the storage version learns of it.
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/bars.example.com';
    const changed = (await call('GET', path)).body;
    changed.spec.versions[1].schema.openAPIV3Schema.properties.spec.properties.a = text;
    expect((await call('PUT', path, changed)).code).toBe(200);
    expect((await call('GET', '/apis/example.com/v2/bars/x')).body.spec).toEqual({ c: 'stays' });
  });

  test('a write in another version that changes nothing is not written', async () => {
    const path = '/apis/example.com/v1/bars';
    const { body } = await call('POST', path, bar('v1', 'same', { c: 'x' }));
    const put = await call('PUT', `${path}/same`, body);
    expect(put.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  });

  test('lists and watches say the same in every version, and each selects by its own fields', async () => {
    const watches = await Promise.all(
      ['v1', 'v2'].map(async (served) => {
        const response = await server.fetch(`/apis/example.com/${served}/bars?watch=true`);
        return new WatchStream(response);
      }),
    );
    await call('POST', '/apis/example.com/v1/bars', bar('v1', 'one', { c: 'red' }));
    await call('POST', '/apis/example.com/v2/bars', bar('v2', 'two', { b: 'blue', c: 'blue' }));
    for (const [index, served] of ['v1', 'v2'].entries()) {
      const list = await call('GET', `/apis/example.com/${served}/bars`);
      expect(list.body.apiVersion).toBe(`example.com/${served}`);
      const versions = new Set(list.body.items.map((item: JsonObject) => item['apiVersion']));
      expect([...versions]).toEqual([`example.com/${served}`]);
      const stream = watches[index];
      const names: unknown[] = [];
      while (!names.includes('two')) {
        const event = await stream?.next();
        expect(event?.object['apiVersion']).toBe(`example.com/${served}`);
        names.push(event?.object.metadata?.['name']);
      }
      await stream?.close();
    }
    const selected = async (served: string, selector: string) => {
      const { code, body } = await call('GET', `/apis/example.com/${served}/bars?fieldSelector=${selector}`);
      return code === 200
        ? body.items.map((item: JsonObject) => Object(item['metadata']).name)
        : body.message;
    };
    expect(await selected('v1', 'spec.c%3Dred')).toEqual(['one']);
    expect(await selected('v2', 'spec.b%3Dblue')).toEqual(['two']);
    expect(await selected('v2', 'spec.c%3Dred')).toBe('field label not supported: spec.c');
  });
});
