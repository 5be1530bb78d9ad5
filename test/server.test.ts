import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../src/server.ts';
import { crdOf, versionOf } from './fixtures/crd.ts';

const json = { 'content-type': 'application/json' };
const text = { type: 'string' };

const widgetSpec = { type: 'object', properties: { color: text, size: { type: 'integer' } } };
const widgetCrd = crdOf('Widget', {
  names: { shortNames: ['wd'] },
  versions: [versionOf({ spec: widgetSpec })],
});
const widgets = '/apis/example.com/v1/namespaces/default/widgets';

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ crds: [widgetCrd], listen: false });
});
afterAll(() => server.close());

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = json) {
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
  const response = await server.fetch(path, init);
  const text = await response.text();
  return { code: response.status, body: JSON.parse(text), headers: response.headers };
}

const widget = (name: string, spec: object = { color: 'blue' }) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
});

describe('one object', () => {
  test('is created, read, updated and deleted', async () => {
    const created = await call('POST', widgets, widget('first'));
    expect(created.code).toBe(201);
    expect(created.body).toMatchObject({
      kind: 'Widget',
      metadata: { name: 'first', namespace: 'default', generation: 1, uid: expect.any(String) },
      spec: { color: 'blue' },
    });
    const read = await call('GET', `${widgets}/first`);
    expect(read.body).toEqual(created.body);
    const updated = await call('PUT', `${widgets}/first`, { ...read.body, spec: { color: 'red' } });
    expect(updated.body).toMatchObject({ metadata: { generation: 2 }, spec: { color: 'red' } });
    const stale = await call('PUT', `${widgets}/first`, read.body);
    expect(stale.body).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on widgets.example.com "first": the object has been modified; ' +
        'please apply your changes to the latest version and try again',
    });
    const deleted = await call('DELETE', `${widgets}/first`);
    expect(deleted.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'first', group: 'example.com', kind: 'widgets', uid: created.body.metadata.uid },
    });
    expect((await call('GET', `${widgets}/first`)).body).toMatchObject({
      code: 404,
      message: 'widgets.example.com "first" not found',
    });
  });
});
