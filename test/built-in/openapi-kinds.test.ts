import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import { type IlkServer, OpenApiDocumentError, startServer } from '../../src/server.ts';
import { Api, until } from '../controllers/api.ts';
import { crdOf } from '../fixtures/crd.ts';
import { document } from './openapi-kinds.test-data.ts';

const gates = '/apis/doors.k8s.io/v1/namespaces/default/gates';
const strategic = 'application/strategic-merge-patch+json';

let server: IlkServer;
let api: Api;
beforeAll(async () => {
  server = await startServer({ listen: false, openapi: [document] });
  api = Api.of(server);
});
afterAll(() => server.close());

async function made(path: string, body: unknown) {
  const { code, body: object } = await api.call('POST', path, body);
  expect([code, object]).toEqual([201, expect.anything()]);
  return object;
}

describe('the kinds of a document', () => {
  test('are in discovery with their scope and their subresources', async () => {
    const { body } = await api.get('/apis/doors.k8s.io/v1');
    expect(
      body.resources.map(({ name, kind, namespaced }: JsonObject) => ({ name, kind, namespaced })),
    ).toEqual([
      { name: 'gates', kind: 'Gate', namespaced: true },
      { name: 'gates/status', kind: 'Gate', namespaced: true },
    ]);
    const { body: core } = await api.get('/api/v1');
    const hosts = core.resources.filter(({ kind }: JsonObject) => kind === 'Host');
    expect(hosts.map(({ name, namespaced }: JsonObject) => [name, namespaced])).toEqual([
      ['hosts', false],
      ['hosts/status', false],
    ]);
  });

  test('are pruned, defaulted and held to their types, and to nothing that is required', async () => {
    const spec = { port: 80, size: 0.5, key: '', unknown: 1, raw: { any: [1] }, self: { self: { x: 1 } } };
    const gate = await made(gates, { metadata: { name: 'typed' }, spec });
    expect(gate.spec).toEqual({
      port: 80,
      size: 0.5,
      key: '',
      raw: { any: [1] },
      self: { self: { x: 1 } },
      policy: 'Prefix',
    });
    const { code, body } = await api.call('POST', gates, {
      metadata: { name: 'wrong' },
      spec: { tls: 'none', key: '!' },
    });
    expect([code, body.message]).toEqual([422, expect.stringContaining('spec.tls: Invalid value: "string"')]);
  });

  test('keep their status for /status, and count the changes of their spec', async () => {
    const path = '/api/v1/hosts';
    const host = await made(path, { metadata: { name: 'one' }, status: { capacity: { cpu: 4 } } });
    expect([host.status, host.metadata.generation]).toEqual([undefined, 1]);
    const status = { status: { capacity: { cpu: '4' } }, spec: { unschedulable: true } };
    const { body: told } = await api.call('PATCH', `${path}/one/status`, status, strategic);
    expect([told.status, told.spec, told.metadata.generation]).toEqual([status.status, undefined, 1]);
    const { body: changed } = await api.call('PATCH', `${path}/one`, { spec: status.spec }, strategic);
    expect([changed.spec, changed.metadata.generation]).toEqual([status.spec, 2]);
  });

  test('merge by the keys of the document, in strategic merge patches and in applies', async () => {
    const tls = [
      { host: 'a', secret: '1' },
      { host: 'b', secret: '2' },
    ];
    const rules = [{ name: 'x', path: '/x' }];
    await made(gates, { metadata: { name: 'merged' }, spec: { tls, rules, hosts: ['a'] } });
    const patch = { spec: { tls: [{ host: 'b', secret: '3' }], rules: [{ name: 'y' }], hosts: ['b'] } };
    const { body } = await api.call('PATCH', `${gates}/merged`, patch, strategic);
    expect(body.spec).toMatchObject({
      tls: [tls[0], { host: 'b', secret: '3' }],
      rules: [{ name: 'y' }, { name: 'x', path: '/x' }],
      hosts: ['b'],
    });
    const applied = await api.call(
      'PATCH',
      `${gates}/merged?fieldManager=me&force=true`,
      {
        apiVersion: 'doors.k8s.io/v1',
        kind: 'Gate',
        spec: { tls: [{ host: 'c' }], rules: [{ name: 'z' }] },
      },
      'application/apply-patch+yaml',
    );
    expect(applied.body.spec).toMatchObject({
      tls: [tls[0], { host: 'b', secret: '3' }, { host: 'c' }],
      rules: [{ name: 'z' }],
    });
  });

  test('are selected by the fields that the document names', async () => {
    await made(gates, { metadata: { name: 'mine' }, spec: { gateClassName: 'me' } });
    const { body } = await api.get(`${gates}?fieldSelector=spec.gateClassName%3Dme`);
    expect(body.items.map(({ metadata }: JsonObject) => metadata)).toMatchObject([{ name: 'mine' }]);
  });

  test('have no protobuf where Kubernetes does not have them, and say so', async () => {
    const gates = '/apis/doors.k8s.io/v1/namespaces/default/gates';
    const protobuf = 'application/vnd.kubernetes.protobuf';
    const sent = await server.fetch(gates, {
      method: 'POST',
      headers: { 'content-type': protobuf },
      body: 'whatever',
    });
    expect(sent.status).toBe(415);
    const get = (accept: string) => server.fetch(gates, { method: 'GET', headers: { accept } });
    expect((await get(protobuf)).status).toBe(406);
    expect((await get(`${protobuf},application/json`)).headers.get('content-type')).toBe('application/json');
  });

  test('are described in documents under the names that they came with', async () => {
    const { body } = await api.get('/openapi/v2');
    expect(body.definitions['io.k8s.api.doors.v1.Gate']).toMatchObject({
      description: 'Gate lets connections in.',
      properties: {
        spec: {
          description: 'What is wanted.',
          required: ['gateClassName'],
          properties: {
            gateClassName: { description: 'Who serves it.' },
            tls: { 'x-kubernetes-patch-merge-key': 'host', 'x-kubernetes-list-map-keys': ['host'] },
          },
        },
      },
    });
  });

  test('are there in a fork, with their objects', async () => {
    await made(gates, { metadata: { name: 'forked' } });
    await using fork = await server.fork();
    expect((await Api.of(fork).get(`${gates}/forked`)).code).toBe(200);
  });
});

describe('what Ilk prints', () => {
  test('serves the kinds of its CRDs elsewhere, in version 2 and 3, until a CRD takes their place', async () => {
    const crd = crdOf('Widget');
    await using first = await startServer({ listen: false, crds: [crd] });
    for (const place of ['/openapi/v2', '/openapi/v3/apis/example.com/v1']) {
      const { body: printed } = await Api.of(first).get(place);
      await using second = await startServer({ listen: false, openapi: [printed] });
      const there = Api.of(second);
      const path = '/apis/example.com/v1/namespaces/default/widgets';
      const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
      expect((await there.call('POST', path, widget)).code).toBe(201);
      const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      expect((await there.call('POST', crds, crd)).code).toBe(201);
      const patched = async () => (await there.call('PATCH', `${path}/w`, {}, strategic)).code;
      await until(async () => (await patched()) === 415);
      await there.call('DELETE', `${crds}/widgets.example.com`);
      await until(async () => (await patched()) === 404);
      expect((await there.call('POST', path, widget)).code).toBe(201);
    }
  });

  test('has nothing new for another server', async () => {
    await using first = await startServer({ listen: false });
    const { body: printed } = await Api.of(first).get('/openapi/v2');
    await using second = await startServer({ listen: false, openapi: [printed] });
    const groups = async (one: IlkServer) => (await Api.of(one).get('/apis')).body;
    expect(await groups(second)).toEqual(await groups(first));
  });
});

describe('a document that cannot be read', () => {
  const gate = document.definitions['io.k8s.api.doors.v1.Gate'];
  const withSpec = (spec: JsonObject) => ({
    ...document,
    definitions: {
      ...document.definitions,
      'io.k8s.api.doors.v1.Gate': { ...gate, properties: { spec } },
    },
  });
  const spec = 'definitions["io.k8s.api.doors.v1.Gate"].properties["spec"]';
  const source = '"kubectl get --raw /openapi/v2" prints such a document';
  /** Each one refers twice to the next. */
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const next = { $ref: `#/definitions/d${index + 1}` };
      return [`d${index}`, index === 39 ? {} : { properties: { a: next, b: next } }];
    }),
  );

  test.each<[string, JsonObject, string]>([
    ['of nothing', {}, `it says neither "swagger": "2.0" nor "openapi": "3.0.0"; ${source}`],
    [
      'of another version',
      { swagger: '1.2' },
      `it says neither "swagger": "2.0" nor "openapi": "3.0.0" but "1.2"; ${source}`,
    ],
    ['without paths', { swagger: '2.0' }, `it has no "paths"; ${source}`],
    [
      'without kinds',
      { swagger: '2.0', paths: { '/pets': { get: {} } } },
      'it describes no kinds: no path has the "x-kubernetes-action" "get" and "list"',
    ],
    [
      'without the schema of a kind',
      { ...document, definitions: {} },
      'no schema has the "x-kubernetes-group-version-kind" {"group":"","version":"v1","kind":"Host"}, which paths have',
    ],
    [
      'with a reference to nothing',
      withSpec({ $ref: '#/definitions/gone' }),
      `${spec} refers to "#/definitions/gone", which the document does not have`,
    ],
    ['with a type that is none', withSpec({ type: 'text' }), `${spec}.type is "text", which is no type`],
    [
      'with a list without keys',
      withSpec({ type: 'array', items: {}, 'x-kubernetes-list-type': 'map' }),
      `${spec} is a list of the type "map" without "x-kubernetes-list-map-keys"`,
    ],
    [
      'that grows when it is written out',
      { ...document, definitions: { ...withSpec({ $ref: '#/definitions/d0' }).definitions, ...doubling } },
      'definitions["io.k8s.api.doors.v1.Gate"] has more than 100000 nodes with all that it refers to',
    ],
  ])('%s is refused at start', async (_, bad, message) => {
    const starting = startServer({ listen: false, openapi: [bad] });
    await expect(starting).rejects.toEqual(new OpenApiDocumentError(message));
  });
});
