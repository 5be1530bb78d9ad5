import { expect, test } from 'vitest';
import type { JsonObject } from '../src/meta/index.ts';
import { startServer } from '../src/server.ts';
import { WatchStream } from './fixtures/watch-stream.ts';
import { crdOf } from './fixtures/crd.ts';

const schemaWith = (size: JsonObject) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size } } } },
});

const crd = crdOf('Gear', {
  scope: 'Cluster',
  versions: [{ name: 'v1', served: true, storage: true, schema: schemaWith({ type: 'integer' }) }],
});

test('a dry run leaves what is stored as it is: a watch from before it still shows the defaults of today', async () => {
  await using server = await startServer({ crds: [crd], listen: false });
  const gears = '/apis/example.com/v1/gears';
  const send = async (method: string, path: string, body: unknown, type = 'application/json') => {
    const headers = { 'content-type': type };
    const response = await server.fetch(path, { method, headers, body: JSON.stringify(body) });
    expect(response.status).toBeLessThan(300);
    return JSON.parse(await response.text());
  };
  const gear = { apiVersion: 'example.com/v1', kind: 'Gear', metadata: { name: 'a' }, spec: {} };
  const { metadata } = await send('POST', gears, gear);

  const schema = schemaWith({ type: 'integer', default: 7 });
  const patch = [{ op: 'replace', path: '/spec/versions/0/schema', value: schema }];
  await send(
    'PATCH',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gears.example.com',
    patch,
    'application/json-patch+json',
  );
  // A live view reaches back over some thousand revisions when it opens: before that, watches read the store's log.
  const make = (name: string) => send('POST', gears, { ...gear, metadata: { name } });
  for (let at = 0; at < 4_200; at += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, more) => make(`b${at + more}`)));
  }

  const label = { metadata: { labels: { dry: 'run' } } };
  const shown = await send('PATCH', `${gears}/a?dryRun=All`, label, 'application/merge-patch+json');
  expect(shown.spec).toEqual({ size: 7 });

  const before = Number(metadata.resourceVersion) - 1;
  const stream = new WatchStream(await server.fetch(`${gears}?watch=true&resourceVersion=${before}`));
  expect((await stream.next())?.object).toMatchObject({
    metadata: { name: 'a', resourceVersion: metadata.resourceVersion },
    spec: { size: 7 },
  });
  await stream.close();
});
