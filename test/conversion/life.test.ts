import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '../../src/meta/index.ts';
import { type IlkServer, type ServerOptions, startServer } from '../../src/server.ts';
import { convertEndpoint, endpointCrd, endpointsPath, endpointV1, endpointV2, group } from './endpoints.ts';
import { converting, saying, WebhookServer } from './webhook-server.ts';

const running: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

async function startWebhook(hosts?: readonly string[]): Promise<WebhookServer> {
  const webhook = await WebhookServer.start(converting(convertEndpoint), hosts);
  running.push(webhook);
  return webhook;
}

async function start(options: ServerOptions): Promise<IlkServer> {
  const server = await startServer({ listen: false, ...options });
  running.push(server);
  return server;
}

async function call(
  server: IlkServer,
  method: string,
  path: string,
  body?: unknown,
  type = 'application/json',
) {
  const init = body === undefined ? {} : { headers: { 'content-type': type }, body: JSON.stringify(body) };
  const response = await server.fetch(path, { method, ...init });
  const { status: code, headers } = response;
  return { code, headers, body: JSON.parse(await response.text()) };
}

const mergePatch = 'application/merge-patch+json';
const crdPath = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/endpoints.${group}`;

/** Changes the CRD; what is refused is the caller's to see. */
async function changeCrd(server: IlkServer, change: (spec: JsonObject) => void) {
  const { body } = await call(server, 'GET', crdPath);
  change(body.spec);
  return call(server, 'PUT', crdPath, body);
}

const storing = (name: string) => (spec: JsonObject) => {
  for (const version of spec['versions'] as JsonObject[]) version['storage'] = version['name'] === name;
};
const storedVersions = async (server: IlkServer) =>
  (await call(server, 'GET', crdPath)).body.status.storedVersions;

describe('when the storage version changes', () => {
  test('what is stored is converted when it is read, and stored in the new version when it is written', async () => {
    const webhook = await startWebhook();
    const server = await start({ crds: [endpointCrd(webhook.clientConfig, 'v1')] });
    await call(server, 'POST', endpointsPath('v1'), endpointV1('a', 'host:80'));
    expect((await changeCrd(server, storing('v2'))).code).toBe(200);
    expect(await storedVersions(server)).toEqual(['v1', 'v2']);
    expect(webhook.takeCalls()).toEqual([]);

    const read = await call(server, 'GET', endpointsPath('v2', '/a'));
    expect(read.body.spec).toEqual({ host: 'host', port: 80 });
    expect(webhook.asked.map(({ desiredAPIVersion }) => desiredAPIVersion)).toEqual([`${group}/v2`]);

    // A write of what is there already is enough: the bytes differ.
    const { resourceVersion } = read.body.metadata;
    const written = await call(server, 'PATCH', endpointsPath('v2', '/a'), {}, mergePatch);
    expect(written.body.metadata.resourceVersion).not.toBe(resourceVersion);
    webhook.takeCalls();
    await call(server, 'GET', endpointsPath('v2', '/a'));
    expect(webhook.takeCalls()).toEqual([]);
    expect((await call(server, 'GET', endpointsPath('v1', '/a'))).body.spec).toEqual({ address: 'host:80' });
    expect(webhook.takeCalls()).toEqual([1]);
  });

  test('a list shows objects of both in one version, and a review carries those that need it', async () => {
    const webhook = await startWebhook();
    const server = await start({ crds: [endpointCrd(webhook.clientConfig, 'v1')] });
    await call(server, 'POST', endpointsPath('v1'), endpointV1('old', 'host:80'));
    await changeCrd(server, storing('v2'));
    await call(server, 'POST', endpointsPath('v2'), endpointV2('new', 'other', 81));
    webhook.takeCalls();
    const specs = async (version: 'v1' | 'v2') =>
      (await call(server, 'GET', endpointsPath(version))).body.items.map((item: KubeObject) => item['spec']);
    expect(await specs('v2')).toEqual([
      { host: 'other', port: 81, zone: 'here' },
      { host: 'host', port: 80 },
    ]);
    expect(await specs('v1')).toEqual([{ address: 'other:81' }, { address: 'host:80' }]);
    expect(webhook.takeCalls()).toEqual([1, 1]);
  });

  test('the old version stays in the CRD until it is removed from `storedVersions`', async () => {
    const webhook = await startWebhook();
    const server = await start({ crds: [endpointCrd(webhook.clientConfig, 'v1')] });
    await changeCrd(server, storing('v2'));
    const withoutV1 = (spec: JsonObject) => {
      spec['versions'] = (spec['versions'] as JsonObject[]).filter(({ name }) => name !== 'v1');
    };
    const { code, body } = await changeCrd(server, withoutV1);
    expect(code).toBe(422);
    expect(body.message).toContain(
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions',
    );
    const status = { status: { storedVersions: ['v2'] } };
    expect((await call(server, 'PATCH', `${crdPath}/status`, status, mergePatch)).code).toBe(200);
    expect((await changeCrd(server, withoutV1)).code).toBe(200);
  });

  test('what is stored in a version that is gone cannot be read', async () => {
    const webhook = await startWebhook();
    const server = await start({ crds: [endpointCrd(webhook.clientConfig, 'v1')] });
    await call(server, 'POST', endpointsPath('v1'), endpointV1('a', 'host:80'));
    await changeCrd(server, storing('v2'));
    await call(server, 'PATCH', `${crdPath}/status`, { status: { storedVersions: ['v2'] } }, mergePatch);
    await changeCrd(server, (spec) => {
      spec['versions'] = (spec['versions'] as JsonObject[]).filter(({ name }) => name !== 'v1');
    });
    const { code, body } = await call(server, 'GET', endpointsPath('v2', '/a'));
    expect({ code, message: body.message }).toEqual({
      code: 500,
      message: `request to convert CR from an invalid group/version: ${group}/v1`,
    });
  });
});

describe('when the webhook changes', () => {
  test('the new one is asked from the next request on', async () => {
    const [first, second] = [await startWebhook(), await startWebhook()];
    const server = await start({ crds: [endpointCrd(first.clientConfig)] });
    await call(server, 'POST', endpointsPath('v2'), endpointV2('a', 'host', 80));
    await call(server, 'GET', endpointsPath('v1', '/a'));
    expect(await first.connections()).toBe(1);
    await changeCrd(server, (spec) => {
      Object.assign(Object(spec['conversion']).webhook, { clientConfig: second.clientConfig });
    });
    await call(server, 'GET', endpointsPath('v1', '/a'));
    expect({ first: first.takeCalls(), second: second.takeCalls() }).toEqual({ first: [1], second: [1] });
    await expect.poll(() => first.connections()).toBe(0);
  });

  test('from None, and back to None', async () => {
    const webhook = await startWebhook();
    const crd = endpointCrd(webhook.clientConfig);
    const { conversion, ...spec } = Object(crd['spec']);
    const server = await start({ crds: [{ ...crd, spec }] });
    await call(server, 'POST', endpointsPath('v2'), endpointV2('a', 'host', 80));
    expect((await call(server, 'GET', endpointsPath('v1', '/a'))).body.spec).toEqual({});
    await changeCrd(server, (changed) => void (changed['conversion'] = conversion));
    expect((await call(server, 'GET', endpointsPath('v1', '/a'))).body.spec).toEqual({ address: 'host:80' });
    await changeCrd(server, (changed) => void (changed['conversion'] = { strategy: 'None' }));
    expect((await call(server, 'GET', endpointsPath('v1', '/a'))).body.spec).toEqual({});
    expect((await call(server, 'GET', endpointsPath('v2', '/a'))).body.spec).toMatchObject({ port: 80 });
  });
});

describe('a bundle of certificates', () => {
  const withBundle = async (caBundle: string) => {
    const webhook = await startWebhook();
    const crd = endpointCrd({ url: webhook.url, caBundle: Buffer.from(caBundle).toString('base64') });
    return { webhook, crd };
  };
  const established = (body: { status: { conditions: KubeObject[] } }) =>
    body.status.conditions.find(({ type }) => type === 'Established');

  test('that is none keeps a CRD from being established', async () => {
    const { crd } = await withBundle('garbage');
    const server = await start({});
    await call(server, 'POST', crdPath.replace(/\/[^/]+$/, ''), crd);
    await expect
      .poll(async () => established((await call(server, 'GET', crdPath)).body))
      .toMatchObject({
        status: 'False',
        reason: 'InvalidCABundle',
        message: 'The conversion webhook CABundle is invalid',
      });
  });

  test('of white space is none at all', async () => {
    const { crd } = await withBundle('  \n ');
    const server = await start({});
    await call(server, 'POST', crdPath.replace(/\/[^/]+$/, ''), crd);
    // Upstream's check does not trim: such a CRD is not established either.
    await expect
      .poll(async () => established((await call(server, 'GET', crdPath)).body))
      .toMatchObject({ status: 'False', reason: 'InvalidCABundle' });
    await expect
      .poll(async () => (await call(server, 'POST', endpointsPath('v2'), endpointV2('a', 'h', 1))).code)
      .toBe(201);
    const { code, body } = await call(server, 'GET', endpointsPath('v1', '/a'));
    expect(code).toBe(500);
    expect(body.message).toMatch(/certificate signed by unknown authority$/);
  });
});

test('a service is reached where it was mapped to', async () => {
  const webhook = await startWebhook(['converter.ns.svc']);
  const caBundle = Buffer.from(webhook.caPem).toString('base64');
  const service = { namespace: 'ns', name: 'converter', path: '/convert' };
  const services = { 'ns/converter': `https://127.0.0.1:${webhook.port}` };
  const server = await start({ crds: [endpointCrd({ service, caBundle })], services });
  await call(server, 'POST', endpointsPath('v2'), endpointV2('a', 'host', 80));
  expect((await call(server, 'GET', endpointsPath('v1', '/a'))).body.spec).toEqual({ address: 'host:80' });

  const unmapped = await start({ crds: [endpointCrd({ service, caBundle })] });
  await call(unmapped, 'POST', endpointsPath('v2'), endpointV2('a', 'host', 80));
  const { body } = await call(unmapped, 'GET', endpointsPath('v1', '/a'));
  expect(body.message).toBe(
    `conversion webhook for ${group}/v2, Kind=Endpoint failed: ` +
      'Post "https://converter.ns.svc:443/convert?timeout=30s": service "converter" not found',
  );
});

test('services that are none keep a server from starting', async () => {
  await expect(startServer({ listen: false, services: { 'a/b': 'http://x' } })).rejects.toThrow(
    'http://x is not of the form https://<host>:<port>',
  );
});

test('a fork asks by connections of its own: its calls go on when its origin closes', async () => {
  const webhook = await startWebhook();
  const origin = await startServer({ listen: false, crds: [endpointCrd(webhook.clientConfig)] });
  await call(origin, 'POST', endpointsPath('v2'), endpointV2('a', 'host', 80));
  const fork = await origin.fork();
  running.push(fork);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { answer } = webhook;
  webhook.answer = async (body, response, request) => {
    await held;
    await answer(body, response, request);
  };
  const read = call(fork, 'GET', endpointsPath('v1', '/a'));
  await expect.poll(() => webhook.asked.length).toBe(1);
  await origin.close();
  release();
  expect((await read).body.spec).toEqual({ address: 'host:80' });
});

describe('with a webhook that is broken', () => {
  const startBroken = async () => {
    const webhook = await startWebhook();
    const server = await start({ crds: [endpointCrd(webhook.clientConfig, 'v1')] });
    const create = async (version: 'v1' | 'v2', object: KubeObject) => {
      const { code, body } = await call(server, 'POST', endpointsPath(version), object);
      expect(code).toBe(201);
      return body;
    };
    return { webhook, server, create };
  };
  const gone = (server: IlkServer, path: string) =>
    expect.poll(async () => (await call(server, 'GET', path)).code).toBe(404);

  test('a namespace goes with everything in it, whatever version that is stored in', async () => {
    const { webhook, server, create } = await startBroken();
    await create('v1', endpointV1('old', 'host:80'));
    await changeCrd(server, storing('v2'));
    await create('v2', endpointV2('new', 'host', 80));
    webhook.answer = saying(500, 'text/plain', 'broken');
    const other = '/api/v1/namespaces/other';
    await call(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    const path = endpointsPath('v2').replace('default', 'other');
    expect((await call(server, 'POST', path, endpointV2('x', 'h', 1))).code).toBe(201);
    await call(server, 'DELETE', other);
    await gone(server, other);
    expect(webhook.takeCalls()).toEqual([]);
  });

  test('a CRD goes with its objects', async () => {
    const { webhook, server, create } = await startBroken();
    await create('v1', endpointV1('old', 'host:80'));
    await changeCrd(server, storing('v2'));
    await create('v2', endpointV2('new', 'host', 80));
    webhook.answer = saying(500, 'text/plain', 'broken');
    await call(server, 'DELETE', crdPath);
    await gone(server, crdPath);
    expect(webhook.takeCalls()).toEqual([]);
  });

  test('the garbage collector deletes what lost its owner, and lets go of what is orphaned', async () => {
    const { webhook, server, create } = await startBroken();
    const owner = await create('v1', endpointV1('owner', 'host:80'));
    const reference = (of: KubeObject) => ({
      apiVersion: `${group}/v1`,
      kind: 'Endpoint',
      name: Object(of['metadata']).name,
      uid: Object(of['metadata']).uid,
    });
    const owned = (name: string, of: KubeObject) => ({ name, ownerReferences: [reference(of)] });
    await create('v1', endpointV1('child', 'host:80', { metadata: owned('child', owner) }));
    const other = await create('v1', endpointV1('other', 'host:80'));
    await create('v1', endpointV1('orphan', 'host:80', { metadata: owned('orphan', other) }));
    await changeCrd(server, (spec) => {
      storing('v1')(spec);
      // From now on the preferred version is not the one that is stored.
      for (const version of spec['versions'] as JsonObject[]) version['served'] = true;
    });
    webhook.answer = saying(500, 'text/plain', 'broken');
    await call(server, 'DELETE', endpointsPath('v1', '/owner'));
    await gone(server, endpointsPath('v1', '/child'));
    await call(server, 'DELETE', endpointsPath('v1', '/other'), { propagationPolicy: 'Orphan' });
    await gone(server, endpointsPath('v1', '/other'));
    const left = await call(server, 'GET', endpointsPath('v1', '/orphan'));
    expect(left.body.metadata).not.toHaveProperty('ownerReferences');
    expect(webhook.takeCalls()).toEqual([]);
  });
});

describe('a deprecated version', () => {
  const deprecating = (text?: string) => (spec: JsonObject) => {
    const [v1] = spec['versions'] as JsonObject[];
    Object.assign(v1 ?? {}, {
      deprecated: true,
      ...(text === undefined ? {} : { deprecationWarning: text }),
    });
  };
  test.each<[string, string | undefined, string]>([
    ['by itself', undefined, `299 - "${group}/v1 Endpoint is deprecated; use ${group}/v2 Endpoint"`],
    ['in words of its own', 'move on', '299 - "move on"'],
  ])('warns %s, with every verb, and only there', async (_, text, warning) => {
    const webhook = await startWebhook();
    const server = await start({ crds: [endpointCrd(webhook.clientConfig)] });
    await changeCrd(server, deprecating(text));
    const verbs: [string, string, unknown?, string?][] = [
      ['POST', endpointsPath('v1'), endpointV1('a', 'host:80')],
      ['GET', endpointsPath('v1', '/a')],
      ['GET', endpointsPath('v1')],
      ['PATCH', endpointsPath('v1', '/a'), {}, mergePatch],
      ['GET', endpointsPath('v1', '/a/status')],
      ['DELETE', endpointsPath('v1', '/a')],
    ];
    for (const [method, path, body, type] of verbs) {
      const { headers } = await call(server, method, path, body, type);
      expect(`${method} ${headers.get('warning')}`).toBe(`${method} ${warning}`);
      const other = await call(server, method, path.replace('/v1/', '/v2/'), undefined);
      expect(other.headers.get('warning')).toBeNull();
    }
  });
});
