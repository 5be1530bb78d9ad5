import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';
import { convertEndpoint, endpointCrd, endpointsPath, endpointV1, endpointV2, group } from './endpoints.ts';
import { converting, saying, WebhookServer } from './webhook-server.ts';

let webhook: WebhookServer;
let server: IlkServer;
const streams: WatchStream[] = [];

beforeAll(async () => {
  webhook = await WebhookServer.start(converting(convertEndpoint));
  server = await startServer({ crds: [endpointCrd(webhook.clientConfig)], listen: false });
});
afterEach(async () => {
  webhook.answer = converting(convertEndpoint);
  for (const stream of streams.splice(0)) await stream.close();
  await call('DELETE', endpointsPath('v2'));
  webhook.takeCalls();
});
afterAll(async () => {
  await server.close();
  await webhook[Symbol.asyncDispose]();
});

async function call(method: string, path: string, body?: unknown, type = 'application/json') {
  const init = body === undefined ? {} : { headers: { 'content-type': type }, body: JSON.stringify(body) };
  const response = await server.fetch(path, { method, ...init });
  return { code: response.status, body: JSON.parse(await response.text()) };
}

const create = (version: 'v1' | 'v2', object: KubeObject) => call('POST', endpointsPath(version), object);
const patch = (version: 'v1' | 'v2', name: string, body: unknown) =>
  call('PATCH', endpointsPath(version, `/${name}`), body, 'application/merge-patch+json');

async function watch(version: 'v1' | 'v2', query = ''): Promise<WatchStream> {
  const stream = new WatchStream(await server.fetch(`${endpointsPath(version)}?watch=true${query}`));
  streams.push(stream);
  return stream;
}

/** So many events, as `ADDED a host:80`. */
async function take(stream: WatchStream, count: number): Promise<string[]> {
  const lines: string[] = [];
  while (lines.length < count) {
    const event = await stream.next();
    if (event === undefined) return [...lines, 'END'];
    lines.push(shown(event));
  }
  return lines;
}

function shown({ type, object }: { type: string; object: KubeObject }): string {
  if (type === 'ERROR')
    return `ERROR ${String(object['code'])} ${String(object['reason'])} ${String(object['message'])}`;
  const { name } = Object(object['metadata']);
  if (type === 'BOOKMARK') return 'BOOKMARK';
  const { address, host, port } = Object(object['spec']);
  const version = String(object['apiVersion']).split('/')[1];
  return `${type} ${version} ${name} ${version === 'v1' ? address : `${host} ${port}`}`;
}

describe('a watch', () => {
  test('shows the same story in every version', async () => {
    await create('v2', endpointV2('a', 'host', 1));
    const watches = [await watch('v1'), await watch('v2')] as const;
    await create('v1', endpointV1('b', 'other:2'));
    await patch('v2', 'a', { spec: { port: 3 } });
    await call('DELETE', endpointsPath('v2', '/b'));
    expect(await take(watches[0], 4)).toEqual([
      'ADDED v1 a host:1',
      'ADDED v1 b other:2',
      'MODIFIED v1 a host:3',
      'DELETED v1 b other:2',
    ]);
    expect(await take(watches[1], 4)).toEqual([
      'ADDED v2 a host 1',
      'ADDED v2 b other 2',
      'MODIFIED v2 a host 3',
      'DELETED v2 b other 2',
    ]);
  });

  test('selects by what its version says, of the old content too', async () => {
    const stream = await watch('v1', '&fieldSelector=spec.address%3Dhost:1');
    await create('v2', endpointV2('a', 'host', 2));
    await patch('v2', 'a', { spec: { port: 1 } });
    await patch('v2', 'a', { metadata: { labels: { x: 'y' } } });
    await patch('v2', 'a', { spec: { port: 3 } });
    await create('v1', endpointV1('b', 'host:1'));
    await call('DELETE', endpointsPath('v1', '/b'));
    expect(await take(stream, 5)).toEqual([
      'ADDED v1 a host:1',
      'MODIFIED v1 a host:1',
      'DELETED v1 a host:1',
      'ADDED v1 b host:1',
      'DELETED v1 b host:1',
    ]);
  });

  test('shows what stops to match with its old content, at the revision of the change', async () => {
    const stream = await watch('v1', '&fieldSelector=spec.address%3Dhost:1');
    await create('v2', endpointV2('a', 'host', 1));
    const { body } = await patch('v2', 'a', { spec: { port: 2 } });
    await stream.next();
    const event = await stream.next();
    expect(event).toMatchObject({ type: 'DELETED', object: { spec: { address: 'host:1' } } });
    expect(event?.object.metadata?.['resourceVersion']).toBe(body.metadata.resourceVersion);
  });

  test('from a revision tells what came after it, in its version', async () => {
    const { body } = await create('v2', endpointV2('a', 'host', 1));
    await patch('v2', 'a', { spec: { port: 2 } });
    await patch('v1', 'a', { spec: { address: 'x:3' } });
    const stream = await watch('v1', `&resourceVersion=${body.metadata.resourceVersion}`);
    expect(await take(stream, 2)).toEqual(['MODIFIED v1 a host:2', 'MODIFIED v1 a x:3']);
  });

  test('that sends the state first says where that ends', async () => {
    await create('v2', endpointV2('a', 'host', 1));
    const query = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const stream = await watch('v1', query);
    expect(await take(stream, 2)).toEqual(['ADDED v1 a host:1', 'BOOKMARK']);
  });

  test('shares its conversions with lists and other watches', async () => {
    const watches = [await watch('v1'), await watch('v1'), await watch('v1')];
    await create('v2', endpointV2('a', 'host', 1));
    for (const stream of watches) expect(await take(stream, 1)).toEqual(['ADDED v1 a host:1']);
    await call('GET', endpointsPath('v1'));
    expect(webhook.takeCalls()).toEqual([1]);
  });

  test('starts with many objects by few calls', async () => {
    const names = Array.from({ length: 600 }, (_, index) => `e${String(index).padStart(3, '0')}`);
    for (let start = 0; start < names.length; start += 50) {
      await Promise.all(
        names.slice(start, start + 50).map((name) => create('v2', endpointV2(name, name, 1))),
      );
    }
    const stream = await watch('v1');
    expect(await take(stream, 600)).toEqual(names.map((name) => `ADDED v1 ${name} ${name}:1`));
    expect(webhook.takeCalls()).toEqual([500, 100]);
  });
});

describe('a webhook that fails', () => {
  const failure =
    'ERROR 500 InternalError Internal error occurred: ' +
    `conversion webhook for ${group}/v2, Kind=Endpoint failed: ` +
    'an error on the server ("broken") has prevented the request from succeeding';

  test('ends a watch with an ERROR, after everything that came before', async () => {
    const stream = await watch('v1');
    await create('v2', endpointV2('a', 'host', 1));
    expect(await take(stream, 1)).toEqual(['ADDED v1 a host:1']);
    webhook.answer = saying(500, 'text/plain', 'broken');
    await patch('v2', 'a', { spec: { port: 2 } });
    expect(await take(stream, 2)).toEqual([failure, 'END']);
  });

  test('ends a watch that had not begun', async () => {
    await create('v2', endpointV2('a', 'host', 1));
    webhook.answer = saying(500, 'text/plain', 'broken');
    expect(await take(await watch('v1'), 2)).toEqual([failure, 'END']);
  });

  test('leaves watches of the storage version alone', async () => {
    const stream = await watch('v2');
    webhook.answer = saying(500, 'text/plain', 'broken');
    await create('v2', endpointV2('a', 'host', 1));
    expect(await take(stream, 1)).toEqual(['ADDED v2 a host 1']);
  });

  test('loses nothing if a client resumes where the watch ended', async () => {
    const stream = await watch('v1');
    const { body } = await create('v2', endpointV2('a', 'host', 1));
    expect(await take(stream, 1)).toEqual(['ADDED v1 a host:1']);
    webhook.answer = saying(500, 'text/plain', 'broken');
    await patch('v2', 'a', { spec: { port: 2 } });
    await take(stream, 2);
    webhook.answer = converting(convertEndpoint);
    await patch('v2', 'a', { spec: { port: 3 } });
    const resumed = await watch('v1', `&resourceVersion=${body.metadata.resourceVersion}`);
    expect(await take(resumed, 2)).toEqual(['MODIFIED v1 a host:2', 'MODIFIED v1 a host:3']);
  });
});

test('a change of the CRD ends watches cleanly, whatever the webhook is doing', async () => {
  webhook.answer = () => {};
  await create('v2', endpointV2('a', 'host', 1));
  const taken = take(await watch('v1'), 1);
  await expect.poll(() => webhook.asked.length).toBe(1);
  const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/endpoints.${group}`;
  const { body } = await call('GET', crd);
  body.spec.versions[0].additionalPrinterColumns = [{ name: 'X', type: 'string', jsonPath: '.spec.address' }];
  expect((await call('PUT', crd, body)).code).toBe(200);
  expect(await taken).toEqual(['END']);
});
