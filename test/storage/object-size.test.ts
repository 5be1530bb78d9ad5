import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer, type StorageOptions } from '../../src/server.ts';
import { limits } from '../../src/meta/index.ts';
import { widgetCrdOf } from '../fixtures/widgets.ts';

const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const crd = widgetCrdOf([
  {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
]);
const tooLarge = [500, 'etcdserver: request is too large', undefined];

async function send(
  server: IlkServer,
  method: string,
  path: string,
  body: unknown,
  type = 'application/json',
) {
  const headers = { 'content-type': type };
  const answer = await server.fetch(path, { method, headers, body: JSON.stringify(body) });
  const { message, reason, metadata } = Object(await answer.json());
  return answer.status < 300 ? [answer.status, metadata.resourceVersion] : [answer.status, message, reason];
}

const widget = (name: string, color: string) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec: { color },
});

const folder = mkdtempSync(join(tmpdir(), 'ilk-size-'));
const storages: [string, StorageOptions][] = [
  ['in memory', { kind: 'memory' }],
  ['in SQLite', { kind: 'sqlite', dataDir: folder }],
];

describe.each(storages)('%s', (_, storage) => {
  test('an object is as large as etcd takes it, and can be written back', async () => {
    await using server = await startServer({ storage, crds: [crd] });
    const fits = limits.storedObjectBytesMax - 1_000;
    expect(await send(server, 'POST', widgets, widget('a', 'x'.repeat(fits)))).toEqual([
      201,
      expect.anything(),
    ]);
    const read = await (await server.fetch(`${widgets}/a`)).json();
    expect((await send(server, 'PUT', `${widgets}/a`, read))[0]).toBe(200);
    const merge = 'application/merge-patch+json';
    const longer = { spec: { color: 'x'.repeat(fits + 2_000) } };
    expect(await send(server, 'PATCH', `${widgets}/a`, longer, merge)).toEqual(tooLarge);
    expect(await send(server, 'POST', widgets, widget('b', longer.spec.color))).toEqual(tooLarge);
    expect(await send(server, 'DELETE', `${widgets}/a`, {})).toEqual([200, undefined]);
  });

  test('who owns the fields counts', async () => {
    await using server = await startServer({ storage });
    const data = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`key-${at}`, '']));
    const path = '/api/v1/namespaces/default/configmaps';
    expect(JSON.stringify(data).length).toBeLessThan(limits.storedObjectBytesMax / 1.5);
    expect(await send(server, 'POST', path, { metadata: { name: 'a' }, data })).toEqual(tooLarge);
  });
});

afterAll(() => rmSync(folder, { recursive: true }));
