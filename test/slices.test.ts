import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FieldSelector, limits, type ListOptions, parseLabelSelector, Slices } from '../src/meta/index.ts';
import { startServerInside } from '../src/server.ts';
import { targetOf, Warnings } from '../src/registry/index.ts';
import { crdOf } from './fixtures/crd.ts';

const headers = { 'content-type': 'application/json' };
const configMaps = '/api/v1/namespaces/default/configmaps';

/** Everything by a selector that no index answers: each object is read. */
const byLabel: ListOptions = {
  labelSelector: parseLabelSelector('a!=b'),
  fieldSelector: new FieldSelector([]),
  filter: '',
  watch: false,
  allowWatchBookmarks: false,
  resourceVersion: '',
  resourceVersionMatch: '',
  timeoutSeconds: undefined,
  limit: 0,
  continue: '',
  sendInitialEvents: undefined,
};

/** A server where every look at the time finds the slice over, unless `sliceMs` is larger; and how often work paused. */
async function pausing(sliceMs = 0) {
  const turns: (() => void)[] = [];
  const nextTurn = (call: () => void) => {
    turns.push(call);
    setImmediate(call);
  };
  const slices = new Slices({ now: () => 0, nextTurn, sliceMs });
  const inside = await startServerInside({ slices, listen: false });
  for (let at = 0; at < 200; at += 1) {
    const body = JSON.stringify({ metadata: { name: `a-${at}` } });
    await inside.server.fetch(configMaps, { method: 'POST', headers, body });
  }
  const served = await inside.registry.find('', 'v1', 'configmaps');
  if (served === undefined) throw new Error('not served');
  turns.length = 0;
  const list = (signal: AbortSignal) =>
    inside.registry.list({
      target: targetOf(served, 'default'),
      options: byLabel,
      context: { user: inside.user, fieldManager: '', signal, warnings: new Warnings() },
    });
  return { ...inside, turns, list };
}

test('a list by a selector pauses, and is whole', async () => {
  const { server, turns, list } = await pausing();
  await using _ = server;
  expect((await list(new AbortController().signal)).items).toHaveLength(200);
  expect(turns.length).toBeGreaterThan(200 / 8 - 2);
});

test('a list whose client has gone ends at its next pause', async () => {
  const { server, turns, list } = await pausing();
  await using _ = server;
  const abort = new AbortController();
  const listed = list(abort.signal);
  abort.abort(new Error('gone'));
  await expect(listed).rejects.toThrow('gone');
  expect(turns.length).toBeLessThan(5);
});

test.each([
  ['YAML', configMaps, 'application/yaml'],
  ['protobuf', configMaps, 'application/vnd.kubernetes.protobuf'],
  ['metadata', configMaps, 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'],
  ['tables in YAML', configMaps, 'application/yaml;as=Table;g=meta.k8s.io;v=v1'],
  ['pretty JSON', `${configMaps}?pretty=true`, 'application/json'],
  ['OpenAPI v2', '/openapi/v2', 'application/json'],
  ['OpenAPI v3', '/openapi/v3', 'application/json'],
  ['OpenAPI v3 of one group', '/openapi/v3/apis/apps/v1', 'application/json'],
])('other requests are answered while a document is made: %s', async (_, path, accept) => {
  const { server, turns } = await pausing();
  await using __ = server;
  const answered: string[] = [];
  const ask = async (name: string, at: string) => {
    const { status } = await server.fetch(at, { headers: { accept } });
    answered.push(`${name} ${status}`);
  };
  await Promise.all([ask('document', path), ask('other', '/readyz')]);
  expect(answered).toEqual(['other 200', 'document 200']);
  expect(turns.length).toBeGreaterThan(20);
});

test('the write of a large object pauses between its steps, that of a small one never', async () => {
  const { server, turns } = await pausing();
  await using _ = server;
  const write = async (name: string, length: number) => {
    turns.length = 0;
    const body = JSON.stringify({ metadata: { name }, data: { text: 'x'.repeat(length) } });
    expect((await server.fetch(configMaps, { method: 'POST', headers, body })).status).toBe(201);
    return turns.length;
  };
  expect(await write('large', 100_000)).toBeGreaterThan(2);
  expect(await write('small', 1_000)).toBe(0);
});

/** A ConfigMap with a number of keys, one of which identifies the write. */
const wideMap = (write: string, keys = 20_000) => {
  const data = Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, '']));
  return JSON.stringify({ metadata: { name: 'wide' }, data: { ...data, write } });
};

/** The same as YAML. */
const wideYaml = (write: string, keys = 20_000) => {
  const lines = Array.from({ length: keys }, (_, index) => `  k${index}: ""\n`);
  return `metadata:\n  name: wide\ndata:\n  write: ${write}\n${lines.join('')}`;
};

test('other requests are answered while an object of many keys is written, read and patched', async () => {
  const { server, turns } = await pausing();
  await using _ = server;
  const wide = `${configMaps}/wide`;
  const type = 'application/merge-patch+json';
  const writes: [string, string, RequestInit][] = [
    ['create', configMaps, { method: 'POST', headers, body: wideMap('create') }],
    ['update', wide, { method: 'PUT', headers, body: wideMap('update') }],
    [
      'yaml',
      wide,
      { method: 'PUT', headers: { 'content-type': 'application/yaml' }, body: wideYaml('yaml') },
    ],
    ['patch', wide, { method: 'PATCH', headers: { 'content-type': type }, body: wideMap('patch') }],
  ];
  for (const [name, path, init] of writes) {
    turns.length = 0;
    const answered: string[] = [];
    const write = server.fetch(path, init).then(async (answer) => {
      answered.push(name);
      return answer.json();
    });
    await Promise.all([write, server.fetch('/readyz').then(() => answered.push('other'))]);
    expect(answered).toEqual(['other', name]);
    expect(await write).toMatchObject({ data: { write: name, k0: '', k19999: '' } });
    expect(turns.length).toBeGreaterThan(30);
  }
});

/** Requests that store nothing of their body. */
const bodiesElsewhere: readonly (readonly [string, string, RequestInit])[] = [
  ['DELETE', `${configMaps}/none`, { method: 'DELETE' }],
  ['a review', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { method: 'POST' }],
  ['a token', '/api/v1/namespaces/default/serviceaccounts/none/token', { method: 'POST' }],
  ['an eviction', '/api/v1/namespaces/default/pods/none/eviction', { method: 'POST' }],
  ['a PUT to /scale', '/apis/apps/v1/namespaces/default/deployments/none/scale', { method: 'PUT' }],
];

test('other requests are answered while a body is read that is not stored', async () => {
  const { server, turns } = await pausing();
  await using _ = server;
  for (const [name, path, init] of bodiesElsewhere) {
    for (const type of ['application/json', 'application/yaml']) {
      turns.length = 0;
      const body = type === 'application/json' ? wideMap('a') : wideYaml('a');
      const answered: string[] = [];
      const ask = async (what: string, at: string, how: RequestInit) => {
        await server.fetch(at, how);
        answered.push(what);
      };
      const large = ask(name, path, { ...init, headers: { 'content-type': type }, body });
      await Promise.all([large, ask('other', '/readyz', {})]);
      expect(answered).toEqual(['other', name]);
      expect(turns.length).toBeGreaterThan(5);
    }
  }
});

test('a short YAML body whose lines must be moved is read in steps', async () => {
  const { server, turns } = await pausing();
  await using _ = server;
  const body = `metadata:\n  name: moved\ndata: {\n${'a: b,\n'.repeat(100)}c: d\n}\n`;
  const created = await server.fetch(`${configMaps}?fieldValidation=Ignore`, {
    method: 'POST',
    headers: { 'content-type': 'application/yaml' },
    body,
  });
  expect(await created.json()).toMatchObject({ data: { a: 'b', c: 'd' } });
  expect(turns.length).toBeGreaterThan(100);
});

test('a YAML body that is long is parsed in a thread, that of an apply as well; others start none', async () => {
  const { server } = await pausing();
  await using _ = server;
  let threads = 0;
  const onWorker = () => {
    threads += 1;
  };
  process.on('worker', onWorker);
  const comments = { short: '', long: `# ${'x'.repeat(limits.yamlThreadFromChars)}\n` };
  const write = async (name: 'short' | 'long', method: string, type: string) => {
    const path = method === 'POST' ? configMaps : `${configMaps}/wide?fieldManager=a&force=true`;
    const body = `apiVersion: v1\nkind: ConfigMap\n${comments[name]}${wideYaml(method, 10)}`;
    const { status } = await server.fetch(path, { method, headers: { 'content-type': type }, body });
    return status;
  };
  expect(await write('short', 'POST', 'application/yaml')).toBe(201);
  expect(threads).toBe(0);
  expect(await write('long', 'PUT', 'application/yaml')).toBe(200);
  expect(threads).toBe(1);
  expect(await write('long', 'PATCH', 'application/apply-patch+yaml')).toBe(200);
  expect(threads).toBe(1);
  process.off('worker', onWorker);
});

test('a write that comes while a large update pauses is not lost', async () => {
  const held: (() => void)[] = [];
  let isHolding = false;
  const nextTurn = (call: () => void) => (isHolding ? held.push(call) : setImmediate(call));
  const slices = new Slices({ now: () => 0, nextTurn, sliceMs: 0 });
  await using server = (await startServerInside({ slices, listen: false })).server;
  await server.fetch(configMaps, { method: 'POST', headers, body: wideMap('first') });
  isHolding = true;
  const patch = (data: object, type = 'application/merge-patch+json') =>
    server.fetch(`${configMaps}/wide`, {
      method: 'PATCH',
      headers: { 'content-type': type },
      body: JSON.stringify(data),
    });
  const large = patch({ data: { large: 'x'.repeat(100_000) } });
  await expect.poll(() => slices.waiting).toBe(1);
  const small = patch({ metadata: { labels: { small: 'yes' } } });
  await expect.poll(() => slices.waiting).toBe(2);
  isHolding = false;
  for (const call of held) setImmediate(call);
  expect((await large).status).toBe(200);
  expect((await small).status).toBe(200);
  const found: unknown = await (await server.fetch(`${configMaps}/wide`)).json();
  const data = { write: 'first', large: 'x'.repeat(100_000) };
  expect(found).toMatchObject({ metadata: { labels: { small: 'yes' } }, data });
});

const gadgets = '/apis/example.com/v1/gadgets';
const gadgetsCrd = crdOf('Gadget', { scope: 'Cluster', names: { listKind: 'GadgetList' } });

test.each([1, 2, 3, 4, 5, 6, 7])(
  'a create whose CRD is removed during its pause %d leaves nothing behind',
  async (pause) => {
    const held: (() => void)[] = [];
    let isHolding = false;
    const nextTurn = (call: () => void) => (isHolding ? held.push(call) : setImmediate(call));
    const slices = new Slices({ now: () => 0, nextTurn, sliceMs: 0 });
    await using server = (await startServerInside({ slices, listen: false, crds: [gadgetsCrd] })).server;
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const crd = `${crds}/${gadgetsCrd.metadata.name}`;
    const status = async (path: string) => (await server.fetch(path)).status;
    const text = 'x'.repeat(100_000);
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'large' },
      // The last pauses come between the items, as they are encoded.
      spec: { text, items: Array.from({ length: 600 }, (_, index) => index) },
    };

    isHolding = true;
    const created = server.fetch(gadgets, { method: 'POST', headers, body: JSON.stringify(object) });
    for (let seen = 1; seen <= pause; seen += 1) {
      await expect.poll(() => slices.waiting).toBe(1);
      if (seen < pause) held.shift()?.();
    }
    await server.fetch(crd, { method: 'DELETE' });
    await expect.poll(() => status(crd)).toBe(404);
    isHolding = false;
    for (const call of held) setImmediate(call);

    expect((await created).status).not.toBe(201);
    await server.fetch(crds, { method: 'POST', headers, body: JSON.stringify(gadgetsCrd) });
    await expect.poll(() => status(gadgets)).toBe(200);
    expect(await (await server.fetch(gadgets)).json()).toMatchObject({ items: [] });
  },
);

test('a watch by a selector pauses while it reads the state that it begins with', async () => {
  const { server, registry, user, turns } = await pausing();
  await using _ = server;
  const served = await registry.find('', 'v1', 'configmaps');
  if (served === undefined) throw new Error('not served');
  const context = { user, fieldManager: '', signal: new AbortController().signal, warnings: new Warnings() };
  const options = { ...byLabel, resourceVersion: '0' };
  const watch = await registry.watch({ target: targetOf(served, 'default'), options, context });
  let seen = 0;
  for await (const notices of watch) {
    seen += notices.length;
    if (seen === 200) break;
  }
  watch.close();
  expect(turns.length).toBeGreaterThan(200 / 8 - 2);
});

test('the first event of a large object pauses between its steps after a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ilk-slices-'));
  const storage = { kind: 'sqlite', dataDir } as const;
  const first = await startServerInside({ storage, listen: false });
  await first.server.fetch(configMaps, { method: 'POST', headers, body: wideMap('first') });
  await first.server.close();
  const turns: (() => void)[] = [];
  const nextTurn = (call: () => void) => {
    turns.push(call);
    setImmediate(call);
  };
  const slices = new Slices({ now: () => 0, nextTurn, sliceMs: 0 });
  const { server } = await startServerInside({ storage, slices, listen: false });
  for (const accept of ['application/json', 'application/json;as=Table;g=meta.k8s.io;v=v1']) {
    turns.length = 0;
    const path = `${configMaps}?watch=1&fieldSelector=metadata.name=wide`;
    const { body } = await server.fetch(path, { headers: { accept } });
    const reader = body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('"type":"ADDED"');
    await reader?.cancel();
    expect(turns.length).toBeGreaterThan(5);
  }
  await server.close();
  rmSync(dataDir, { recursive: true });
});
