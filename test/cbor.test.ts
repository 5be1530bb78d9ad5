import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decodeCbor, encodeCbor } from '../src/codec/index.ts';
import { type JsonObject, type JsonValue, parseFeatureGates } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { cborStorage } from '../src/server/cbor-storage.ts';
import { createMemoryStore } from '../src/storage/index.ts';
import { widgetCrdOf } from './fixtures/widgets.ts';

const crd: JsonObject = widgetCrdOf([
  {
    name: 'v1',
    served: true,
    storage: true,
    subresources: {
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    },
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
]);

const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const cbor = 'application/cbor';
const widget = (name: string, spec: JsonValue = { replicas: 1 }) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
});

let server: IlkServer;
const start = (gates: string, storage?: Parameters<typeof startServer>[0]) =>
  startServer({ crds: [crd], listen: false, featureGates: parseFeatureGates(gates), ...storage });
afterEach(() => server.close());

interface Asked {
  readonly method?: string;
  readonly type?: string;
  readonly body?: Uint8Array | string;
  readonly accept?: string;
}

async function ask(path: string, { method = 'GET', type, body, accept = cbor }: Asked = {}) {
  const headers = { accept, ...(type === undefined ? {} : { 'content-type': type }) };
  const response = await server.fetch(path, { method, headers, ...(body === undefined ? {} : { body }) });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { code: response.status, type: response.headers.get('content-type'), bytes };
}

describe('with the gate', () => {
  beforeEach(async () => {
    server = await start('CBORServingAndStorage=true');
  });

  test('objects, lists, scales and metadata are taken and given', async () => {
    const made = await ask(widgets, { method: 'POST', type: cbor, body: encodeCbor(widget('a')) });
    expect(made).toMatchObject({ code: 201, type: cbor });
    expect(made.bytes.subarray(0, 3).toString('hex')).toBe('d9d9f7');
    expect(decodeCbor(made.bytes)).toMatchObject({
      metadata: { name: 'a', generation: 1 },
      spec: { replicas: 1 },
    });
    expect(decodeCbor((await ask(widgets)).bytes)).toMatchObject({
      kind: 'WidgetList',
      items: [{ metadata: { name: 'a' } }],
    });
    expect(decodeCbor((await ask(`${widgets}/a/scale`)).bytes)).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 1 },
    });
    const table = await ask(widgets, { accept: `${cbor};as=Table;v=v1;g=meta.k8s.io` });
    expect(decodeCbor(table.bytes)).toMatchObject({
      kind: 'Table',
      rows: [{ cells: ['a', expect.anything()] }],
    });
    expect(decodeCbor((await ask('/api/v1/namespaces/default')).bytes)).toMatchObject({ kind: 'Namespace' });
  });

  const aggregated = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  test.each([
    ['/api', cbor, 200, cbor],
    ['/apis/example.com', cbor, 200, cbor],
    ['/apis/example.com/v1', cbor, 200, cbor],
    ['/apis', `${cbor};${aggregated},application/json`, 200, `${cbor};${aggregated}`],
    ['/apis', `application/json;${aggregated},${cbor}`, 200, `application/json;${aggregated}`],
    ['/apis/example.com/v1', `${cbor};${aggregated}`, 406, 'application/json'],
    ['/openapi/v2', cbor, 406, ''],
  ])('discovery at %s as %s: %i %s', async (path, accept, code, type) => {
    const answer = await ask(path, { accept });
    expect([answer.code, answer.type ?? '']).toEqual([code, type]);
    if (type === cbor)
      expect(decodeCbor(answer.bytes)).toMatchObject({ kind: expect.stringMatching(/^API/) });
  });

  test('an apply', async () => {
    const patch = { method: 'PATCH', type: 'application/apply-patch+cbor' };
    const applied = await ask(`${widgets}/b?fieldManager=m`, { ...patch, body: encodeCbor(widget('b')) });
    expect(applied.code).toBe(201);
    const wrong = await ask(`${widgets}/b?fieldManager=m`, { ...patch, body: Buffer.from([0xff]) });
    expect(wrong).toMatchObject({ code: 400, type: cbor });
    expect(decodeCbor(wrong.bytes)).toMatchObject({
      kind: 'Status',
      message: expect.stringContaining('error decoding'),
    });
  });

  test('a watch is a sequence of items', async () => {
    await ask(widgets, { method: 'POST', type: cbor, body: encodeCbor(widget('c')) });
    const headers = { accept: cbor };
    const response = await server.fetch(`${widgets}?watch=1&timeoutSeconds=1`, { headers });
    expect(response.headers.get('content-type')).toBe('application/cbor-seq');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(decodeCbor(bytes)).toMatchObject({
      type: 'ADDED',
      object: { kind: 'Widget', metadata: { name: 'c' } },
    });
  });

  test('what is none is refused', async () => {
    const post = { method: 'POST', type: cbor };
    for (const body of [Buffer.from('{}'), encodeCbor([]), encodeCbor({ kind: 'Widget' }), Buffer.alloc(0)]) {
      expect((await ask(widgets, { ...post, body })).code).toBe(400);
    }
    const twice = Buffer.concat([Buffer.from('d9d9f7a2416101416102', 'hex')]);
    const { code, bytes } = await ask(widgets, { ...post, body: twice });
    expect([code, decodeCbor(bytes)]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining('found duplicate map key "a"') }),
    ]);
  });

  test('refusals name it among the media types', async () => {
    const json = 'application/json';
    const found = await ask(widgets, { method: 'POST', type: 'text/plain', body: '', accept: json });
    expect(JSON.parse(found.bytes.toString()).message).toContain(
      'application/vnd.kubernetes.protobuf, application/cbor',
    );
    const patched = await ask(`${widgets}/a`, {
      method: 'PATCH',
      type: 'text/plain',
      body: '',
      accept: json,
    });
    expect(JSON.parse(patched.bytes.toString()).message).toContain('application/apply-patch+cbor');
  });
});

test('without the gate it is no media type', async () => {
  server = await start('');
  expect(await ask(widgets)).toMatchObject({ code: 406, type: 'application/json' });
  const body = encodeCbor(widget('a'));
  expect((await ask(widgets, { method: 'POST', type: cbor, body, accept: '*/*' })).code).toBe(415);
  const patch = { method: 'PATCH', type: 'application/apply-patch+cbor', body, accept: '*/*' };
  expect((await ask(`${widgets}/a?fieldManager=m`, patch)).code).toBe(415);
});

describe('storage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-cbor-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('objects are found whatever the gate is now, and was when they were written', async () => {
    const storage = { kind: 'sqlite', dataDir: folder } as const;
    const accept = 'application/json';
    for (const [index, gate] of ['', 'CBORServingAndStorage=true', ''].entries()) {
      server = await start(gate, { storage });
      const body = JSON.stringify(widget(`w${index}`));
      expect((await ask(widgets, { method: 'POST', type: accept, body, accept })).code).toBe(201);
      const list = JSON.parse((await ask(widgets, { accept })).bytes.toString());
      expect(list.items.length).toBe(index + 1);
      if (index < 2) await server.close();
    }
    const merge = { method: 'PATCH', type: 'application/merge-patch+json', accept };
    const changed = await ask(`${widgets}/w1`, { ...merge, body: '{"spec":{"replicas":2}}' });
    expect(JSON.parse(changed.bytes.toString())).toMatchObject({ metadata: { generation: 2 } });
  });

  test('custom resources are in CBOR, built-in kinds and CRDs in JSON', async () => {
    server = await start('');
    const inner = createMemoryStore();
    const store = cborStorage(inner, { writes: true });
    const text = '{"a":1,"b":[1.5,"x"]}';
    const value = Buffer.from(text);
    const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
    const keys = {
      '/registry/example.com/widgets/default/a': 'd9d9f7',
      '/registry/configmaps/default/a': '7b2261',
      '/registry/apiextensions.k8s.io/customresourcedefinitions/a': '7b2261',
    };
    for (const [key, head] of Object.entries(keys)) {
      await store.commit({ key, value, expect: 0 });
      const { record } = await inner.get(key);
      expect(
        Buffer.from(record?.value ?? [])
          .subarray(0, 3)
          .toString('hex'),
      ).toBe(head);
      expect(textOf((await store.get(key)).record?.value)).toBe(text);
    }
    const taken = await store.commit({ key: '/registry/example.com/widgets/default/a', value, expect: 0 });
    expect(taken.ok ? '' : textOf(taken.current?.value)).toBe(text);
    const { records } = await store.list({ start: '/registry/', end: '/registry0' });
    expect(records.map((record) => textOf(record.value))).toEqual([text, text, text]);
    const watch = store.watch({ start: '/registry/', end: '/registry0' }, { after: 1 });
    const { value: message } = await watch[Symbol.asyncIterator]().next();
    expect(textOf(message.events[0].value)).toBe(text);
    watch.close();
  });
});
