import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { convertEndpoint, endpointCrd, endpointsPath, endpointV1, endpointV2, group } from './endpoints.ts';
import { converting, saying, WebhookServer } from './webhook-server.ts';

let webhook: WebhookServer;
let server: IlkServer;

beforeAll(async () => {
  webhook = await WebhookServer.start(converting(convertEndpoint));
  server = await startServer({ crds: [endpointCrd(webhook.clientConfig)], listen: false });
});
afterEach(async () => {
  webhook.answer = converting(convertEndpoint);
  await call('DELETE', endpointsPath('v2'));
  webhook.takeCalls();
});
afterAll(async () => {
  await server.close();
  await webhook[Symbol.asyncDispose]();
});

async function call(method: string, path: string, body?: unknown, type = 'application/json') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const init = body === undefined ? {} : { headers: { 'content-type': type }, body: text };
  const response = await server.fetch(path, { method, ...init });
  return { code: response.status, body: JSON.parse(await response.text()) };
}

const mergePatch = 'application/merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';
const create = (version: 'v1' | 'v2', object: KubeObject) => call('POST', endpointsPath(version), object);
const specIn = async (version: 'v1' | 'v2', name: string) =>
  (await call('GET', endpointsPath(version, `/${name}`))).body.spec;

describe('an object', () => {
  test('is stored in one version and read in both', async () => {
    const created = await create('v1', endpointV1('a', 'host:80'));
    expect(created).toMatchObject({
      code: 201,
      body: { apiVersion: `${group}/v1`, spec: { address: 'host:80' } },
    });
    expect(await specIn('v2', 'a')).toEqual({ host: 'host', port: 80, zone: 'here' });
    expect((await call('GET', endpointsPath('v1', '/a'))).body).toEqual(created.body);
  });

  test('of the storage version needs no webhook: created, read, listed, changed and deleted', async () => {
    await create('v2', endpointV2('a', 'host', 80));
    await call('PATCH', endpointsPath('v2', '/a'), { spec: { port: 81 } }, mergePatch);
    await call('PATCH', endpointsPath('v2', '/a/status'), { status: { phase: 'x' } }, mergePatch);
    await call('GET', endpointsPath('v2'));
    expect((await call('DELETE', endpointsPath('v2', '/a'))).code).toBe(200);
    expect(webhook.takeCalls()).toEqual([]);
  });

  test('of another version takes one call to be stored and one to be shown', async () => {
    await create('v1', endpointV1('a', 'host:80'));
    expect(webhook.asked.map(({ desiredAPIVersion }) => desiredAPIVersion)).toEqual([
      `${group}/v2`,
      `${group}/v1`,
    ]);
  });

  test('is sent without a resourceVersion, in the shape of its version, with its defaults', async () => {
    await create('v2', endpointV2('a', 'host', 80, { unknown: 1 }));
    const { body } = await call('GET', endpointsPath('v1', '/a'));
    const { resourceVersion: _, ...metadata } = body.metadata;
    expect(webhook.asked[0]?.objects).toEqual([
      {
        apiVersion: `${group}/v2`,
        kind: 'Endpoint',
        metadata,
        spec: { host: 'host', port: 80, zone: 'here' },
      },
    ]);
  });

  test('is pruned by the version that it is converted to', async () => {
    webhook.answer = converting((object, apiVersion) => ({
      ...convertEndpoint(object, apiVersion),
      surplus: { a: 1 },
    }));
    await create('v2', endpointV2('a', 'host', 80));
    const { body } = await call('GET', endpointsPath('v1', '/a'));
    expect(body).not.toHaveProperty('surplus');
    expect(body.spec).toEqual({ address: 'host:80' });
  });

  test('keeps integers of 64 bits and whatever keys it has', async () => {
    const spec = '{"address":"h:1","data":{"big":9007199254740993,"__proto__":{"x":1},"constructor":"c"}}';
    const text = `{"apiVersion":"${group}/v1","kind":"Endpoint","metadata":{"name":"a"},"spec":${spec}}`;
    await call('POST', endpointsPath('v1'), text);
    for (const version of ['v1', 'v2'] as const) {
      const response = await server.fetch(endpointsPath(version, '/a'));
      expect(await response.text()).toContain(
        '"data":{"__proto__":{"x":1},"big":9007199254740993,"constructor":"c"}',
      );
    }
  });

  test('takes labels and annotations from the webhook, and nothing else of its metadata', async () => {
    webhook.answer = converting((object, apiVersion) => ({
      ...convertEndpoint(object, apiVersion),
      metadata: {
        ...Object(object['metadata']),
        labels: { version: apiVersion.split('/')[1] ?? '' },
        finalizers: ['no.example.com/a'],
        generation: 42,
      },
    }));
    await create('v1', endpointV1('a', 'h:1'));
    const { body } = await call('GET', endpointsPath('v1', '/a'));
    expect(body.metadata).toMatchObject({ labels: { version: 'v1' }, generation: 1 });
    expect(body.metadata).not.toHaveProperty('finalizers');
    const stored = await call('GET', endpointsPath('v2', '/a'));
    expect(stored.body.metadata.labels).toEqual({ version: 'v2' });
    const found = await call('GET', `${endpointsPath('v1')}?labelSelector=version%3Dv1`);
    expect(found.body.items).toHaveLength(1);
    expect((await call('GET', `${endpointsPath('v2')}?labelSelector=version%3Dv1`)).body.items).toEqual([]);
  });
});

describe('a change in another version', () => {
  test('by PUT', async () => {
    const { body } = await create('v2', endpointV2('a', 'host', 80));
    const { metadata } = body;
    const put = await call('PUT', endpointsPath('v1', '/a'), endpointV1('a', 'other:81', { metadata }));
    expect(put).toMatchObject({ code: 200, body: { spec: { address: 'other:81' } } });
    expect(put.body.metadata.generation).toBe(2);
    expect(await specIn('v2', 'a')).toEqual({ host: 'other', port: 81, zone: 'here' });
  });

  test('by merge patch and by JSON patch', async () => {
    await create('v2', endpointV2('a', 'host', 80));
    await call('PATCH', endpointsPath('v1', '/a'), { spec: { address: 'b:1' } }, mergePatch);
    expect(await specIn('v2', 'a')).toMatchObject({ host: 'b', port: 1 });
    const operations = [{ op: 'replace', path: '/spec/address', value: 'c:2' }];
    await call('PATCH', endpointsPath('v1', '/a'), operations, 'application/json-patch+json');
    expect(await specIn('v2', 'a')).toMatchObject({ host: 'c', port: 2 });
  });

  test('that changes nothing is not written', async () => {
    const { body } = await create('v1', endpointV1('a', 'host:80'));
    const patched = await call('PATCH', endpointsPath('v1', '/a'), {}, mergePatch);
    expect(patched.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  });

  test('that is only tried leaves everything as it is', async () => {
    await create('v2', endpointV2('a', 'host', 80));
    const dry = await call(
      'PATCH',
      endpointsPath('v1', '/a?dryRun=All'),
      { spec: { address: 'b:1' } },
      mergePatch,
    );
    expect(dry.body.spec).toEqual({ address: 'b:1' });
    expect(await specIn('v2', 'a')).toMatchObject({ host: 'host', port: 80 });
  });

  test('of the status', async () => {
    await create('v2', endpointV2('a', 'host', 80));
    await call('PATCH', endpointsPath('v1', '/a/status'), { status: { phase: 'Ready' } }, mergePatch);
    const { body } = await call('GET', endpointsPath('v2', '/a'));
    expect(body).toMatchObject({ status: { phase: 'Ready' }, spec: { host: 'host' } });
  });

  test('of the scale', async () => {
    await create('v2', endpointV2('a', 'host', 80, { spec: { host: 'h', port: 1, replicas: 1 } }));
    const path = endpointsPath('v1', '/a/scale');
    const scaled = await call('PATCH', path, { spec: { replicas: 3 } }, mergePatch);
    expect(scaled).toMatchObject({ code: 200, body: { kind: 'Scale', spec: { replicas: 3 } } });
    expect((await call('GET', path)).body.spec).toEqual({ replicas: 3 });
    expect(await specIn('v2', 'a')).toMatchObject({ replicas: 3, host: 'h' });
  });

  test('waits for finalizers when it deletes', async () => {
    const metadata = { name: 'a', finalizers: ['example.com/wait'] };
    await create('v1', endpointV1('a', 'host:80', { metadata }));
    const marked = await call('DELETE', endpointsPath('v1', '/a'));
    expect(marked.body).toMatchObject({ apiVersion: `${group}/v1`, spec: { address: 'host:80' } });
    expect(marked.body.metadata.deletionTimestamp).toBeDefined();
    await call('PATCH', endpointsPath('v1', '/a'), { metadata: { finalizers: null } }, mergePatch);
    expect((await call('GET', endpointsPath('v2', '/a'))).code).toBe(404);
  });

  test('of what other writers change meanwhile starts over with what they wrote', async () => {
    await create('v2', endpointV2('a', 'host', 80));
    const patches = Array.from({ length: 10 }, (_, index) => {
      const [version, field] = index % 2 === 0 ? (['v1', 'x'] as const) : (['v2', 'y'] as const);
      const patch = { spec: { data: { [`${field}${index}`]: index } } };
      return call('PATCH', endpointsPath(version, '/a'), patch, mergePatch);
    });
    for (const { code } of await Promise.all(patches)) expect(code).toBe(200);
    const { data } = await specIn('v2', 'a');
    expect(Object.keys(data).sort()).toEqual(['x0', 'x2', 'x4', 'x6', 'x8', 'y1', 'y3', 'y5', 'y7', 'y9']);
  });
});

describe('server-side apply', () => {
  const apply = (version: 'v1' | 'v2', manager: string, object: KubeObject, force = false) =>
    call(
      'PATCH',
      endpointsPath(
        version,
        `/${String(Object(object['metadata']).name)}?fieldManager=${manager}&force=${force}`,
      ),
      object,
      applyPatch,
    );

  test('creates in any version', async () => {
    const { code, body } = await apply('v1', 'one', endpointV1('a', 'host:80'));
    expect(code).toBe(201);
    expect(body.spec).toEqual({ address: 'host:80' });
    expect(await specIn('v2', 'a')).toEqual({ host: 'host', port: 80, zone: 'here' });
  });

  test('respects owners in the other version: a conflict names the fields of its own version', async () => {
    await apply('v2', 'one', endpointV2('a', 'host', 80));
    const { code, body } = await apply('v1', 'two', endpointV1('a', 'other:81'));
    expect(code).toBe(409);
    expect(body.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "one":\n- .spec.host\n- .spec.port',
    );
  });

  test('takes by force in one version what was owned in the other', async () => {
    await apply('v2', 'one', endpointV2('a', 'host', 80));
    const { body } = await apply('v1', 'two', endpointV1('a', 'other:81'), true);
    const owned = body.metadata.managedFields.map((entry: KubeObject) => [
      entry['manager'],
      entry['apiVersion'],
      entry['fieldsV1'],
    ]);
    expect(owned).toEqual([['two', `${group}/v1`, { 'f:spec': { 'f:address': {} } }]]);
  });

  test('removes what is not applied any more, across versions', async () => {
    await apply('v2', 'one', endpointV2('a', 'host', 80, { spec: { host: 'host', port: 80, replicas: 2 } }));
    await apply('v1', 'one', endpointV1('a', 'host:80'));
    expect(await specIn('v1', 'a')).toEqual({ address: 'host:80' });
  });

  test('an update through one version takes fields from owners in the other', async () => {
    await apply('v2', 'one', endpointV2('a', 'host', 80));
    await call(
      'PATCH',
      endpointsPath('v1', '/a?fieldManager=two'),
      { spec: { address: 'b:80' } },
      mergePatch,
    );
    const { body } = await call('GET', endpointsPath('v2', '/a'));
    const owned = body.metadata.managedFields.map((entry: KubeObject) => [
      entry['manager'],
      entry['fieldsV1'],
    ]);
    expect(owned).toEqual([
      ['one', { 'f:spec': { 'f:port': {} } }],
      ['two', { 'f:spec': { 'f:address': {} } }],
    ]);
  });

  test('fails where the webhook does, and changes nothing', async () => {
    await apply('v2', 'one', endpointV2('a', 'host', 80));
    webhook.answer = saying(500, 'text/plain', 'broken');
    const { code, body } = await apply('v1', 'two', endpointV1('a', 'other:81'), true);
    expect(code).toBe(500);
    expect(body.message).toMatch(
      /^conversion webhook for net\.example\.com\/v2, Kind=Endpoint failed: an error/,
    );
    webhook.answer = converting(convertEndpoint);
    expect(await specIn('v2', 'a')).toMatchObject({ host: 'host', port: 80 });
  });
});

describe('a list', () => {
  const many = async (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `e${String(index).padStart(4, '0')}`);
    for (let start = 0; start < count; start += 50) {
      await Promise.all(
        names
          .slice(start, start + 50)
          .map((name, index) => create('v2', endpointV2(name, name, start + index))),
      );
    }
    return names;
  };

  test('of 1,000 objects takes two calls, the next none, and one after a change a call for that object', async () => {
    const names = await many(1_000);
    const { body } = await call('GET', endpointsPath('v1'));
    expect(body.items.map((item: KubeObject) => Object(item['spec']).address)).toEqual(
      names.map((name, index) => `${name}:${index}`),
    );
    expect(webhook.takeCalls()).toEqual([500, 500]);
    await call('GET', endpointsPath('v1'));
    expect(webhook.takeCalls()).toEqual([]);
    await call('PATCH', endpointsPath('v2', '/e0007'), { spec: { port: 1 } }, mergePatch);
    await call('GET', endpointsPath('v1'));
    expect(webhook.takeCalls()).toEqual([1]);
  });

  test('that was cancelled calls the webhook no more', async () => {
    await many(600);
    const abort = new AbortController();
    const convert = converting(convertEndpoint);
    webhook.answer = async (body, response, request) => {
      abort.abort();
      await new Promise((resolve) => setTimeout(resolve, 20));
      await convert(body, response, request);
    };
    await expect(server.fetch(endpointsPath('v1'), { signal: abort.signal })).rejects.toThrow('aborted');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(webhook.takeCalls()).toEqual([500]);
  });

  test('converts what it shows', async () => {
    const names = await many(60);
    const first = await call('GET', `${endpointsPath('v1')}?limit=10`);
    expect(webhook.takeCalls()).toEqual([10]);
    expect(first.body.metadata.remainingItemCount).toBe(50);
    const token = encodeURIComponent(first.body.metadata.continue);
    const second = await call('GET', `${endpointsPath('v1')}?limit=10&continue=${token}`);
    expect(webhook.takeCalls()).toEqual([10]);
    const shown = [...first.body.items, ...second.body.items].map((item) => item.metadata.name);
    expect(shown).toEqual(names.slice(0, 20));
  });

  test('selects by what its version says', async () => {
    await many(60);
    const byAddress = await call(
      'GET',
      `${endpointsPath('v1')}?fieldSelector=spec.address%3De0042:42&limit=1`,
    );
    expect(byAddress.body.items.map((item: KubeObject) => Object(item['metadata']).name)).toEqual(['e0042']);
    const byHost = await call('GET', `${endpointsPath('v2')}?fieldSelector=spec.host%3De0042`);
    expect(byHost.body.items).toHaveLength(1);
    const { code, body } = await call('GET', `${endpointsPath('v1')}?fieldSelector=spec.host%3De0042`);
    expect({ code, message: body.message }).toEqual({
      code: 400,
      message: 'field label not supported: spec.host',
    });
  });

  test('fails as a whole where one object does', async () => {
    await many(3);
    webhook.answer = converting((object, apiVersion) => {
      if (Object(object['metadata']).name === 'e0001') throw new Error('not this one');
      return convertEndpoint(object, apiVersion);
    });
    const { code, body } = await call('GET', endpointsPath('v1'));
    expect({ code, message: body.message }).toEqual({
      code: 500,
      message: `conversion webhook for ${group}/v2, Kind=Endpoint failed: not this one`,
    });
    expect((await call('GET', endpointsPath('v1', '/e0000'))).code).toBe(200);
  });

  test('is deleted by what its version says', async () => {
    await many(5);
    await call('DELETE', `${endpointsPath('v1')}?fieldSelector=spec.address%3De0003:3`);
    const { body } = await call('GET', endpointsPath('v2'));
    expect(body.items.map((item: KubeObject) => Object(item['metadata']).name)).toEqual([
      'e0000',
      'e0001',
      'e0002',
      'e0004',
    ]);
  });

  test('as a table and as metadata comes in the version that is asked for', async () => {
    await many(2);
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const response = await server.fetch(endpointsPath('v1'), { headers: { accept } });
    const { items } = JSON.parse(await response.text());
    expect(items).toHaveLength(2);
  });
});

describe('requests for the same object share a call', () => {
  test('while it is under way', async () => {
    await create('v2', endpointV2('a', 'host', 80));
    const gets = Array.from({ length: 20 }, () => call('GET', endpointsPath('v1', '/a')));
    for (const { body } of await Promise.all(gets)) expect(body.spec).toEqual({ address: 'host:80' });
    expect(webhook.takeCalls()).toEqual([1]);
  });

  test('but not the failure of an object of another request', async () => {
    await create('v2', endpointV2('good', 'host', 80));
    await create('v2', endpointV2('bad', 'host', 81));
    const convert = converting((object, apiVersion) => {
      if (Object(object['metadata']).name === 'bad') throw new Error('not this one');
      return convertEndpoint(object, apiVersion);
    });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    webhook.answer = async (body, response, request) => {
      await held;
      await convert(body, response, request);
    };
    const list = call('GET', endpointsPath('v1'));
    await expect.poll(() => webhook.asked.length).toBe(1);
    const get = call('GET', endpointsPath('v1', '/good'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(webhook.asked).toHaveLength(1);
    release();
    expect((await list).code).toBe(500);
    expect((await get).body.spec).toEqual({ address: 'host:80' });
    expect(webhook.takeCalls()).toEqual([2, 1]);
  });
});

describe('a webhook that fails', () => {
  const text =
    `conversion webhook for ${group}/v2, Kind=Endpoint failed: ` +
    'an error on the server ("broken") has prevented the request from succeeding';
  const patch = (path: string) => () => call('PATCH', path, { metadata: { labels: { a: 'b' } } }, mergePatch);

  test.each<[string, () => ReturnType<typeof call>]>([
    ['get', () => call('GET', endpointsPath('v1', '/a'))],
    ['list', () => call('GET', endpointsPath('v1'))],
    [
      'update',
      () =>
        call(
          'PUT',
          endpointsPath('v1', '/a'),
          endpointV1('a', 'b:1', { metadata: { name: 'a', resourceVersion: '1' } }),
        ),
    ],
    ['patch', patch(endpointsPath('v1', '/a'))],
    ['delete', () => call('DELETE', endpointsPath('v1', '/a'))],
    ['deletecollection', () => call('DELETE', endpointsPath('v1'))],
    ['get of the status', () => call('GET', endpointsPath('v1', '/a/status'))],
    ['patch of the status', patch(endpointsPath('v1', '/a/status'))],
    ['get of the scale', () => call('GET', endpointsPath('v1', '/a/scale'))],
    ['patch of the scale', patch(endpointsPath('v1', '/a/scale'))],
  ])('fails %s and nothing else', async (_, verb) => {
    const { body: before } = await create('v2', endpointV2('a', 'host', 80));
    webhook.answer = saying(500, 'text/plain', 'broken');
    const { code, body } = await verb();
    expect({ code, message: body.message, status: body.status }).toEqual({
      code: 500,
      message: text,
      status: 'Failure',
    });
    expect((await call('GET', endpointsPath('v2', '/a'))).body).toEqual(before);
  });

  test('on the way into the storage leaves nothing behind', async () => {
    webhook.answer = saying(500, 'text/plain', 'broken');
    const { code, body } = await create('v1', endpointV1('a', 'host:80'));
    expect({ code, message: body.message }).toEqual({ code: 500, message: text.replace('/v2', '/v1') });
    expect((await call('GET', endpointsPath('v2', '/a'))).code).toBe(404);
  });

  test('on the way back leaves nothing behind either', async () => {
    const convert = converting(convertEndpoint);
    webhook.answer = (body, response, request) =>
      webhook.asked.at(-1)?.desiredAPIVersion.endsWith('/v1') === true
        ? saying(500, 'text/plain', 'broken')(body, response, request)
        : convert(body, response, request);
    const { code, body } = await create('v1', endpointV1('a', 'host:80'));
    expect({ code, message: body.message }).toEqual({ code: 500, message: text });
    expect((await call('GET', endpointsPath('v2', '/a'))).code).toBe(404);
  });

  test('is asked again by the next request', async () => {
    await create('v2', endpointV2('a', 'host', 80));
    webhook.answer = saying(500, 'text/plain', 'broken');
    expect((await call('GET', endpointsPath('v1', '/a'))).code).toBe(500);
    webhook.answer = converting(convertEndpoint);
    expect((await call('GET', endpointsPath('v1', '/a'))).code).toBe(200);
  });

  test('does not hide that a name is taken', async () => {
    await create('v2', endpointV2('a', 'host', 80));
    const convert = converting(convertEndpoint);
    webhook.answer = (body, response, request) =>
      webhook.asked.at(-1)?.objects.some((object) => Object(object['metadata']).uid === undefined) === true
        ? saying(500, 'text/plain', 'broken')(body, response, request)
        : convert(body, response, request);
    expect((await create('v1', endpointV1('a', 'host:81'))).code).toBe(409);
  });
});
