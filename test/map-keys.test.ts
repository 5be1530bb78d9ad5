import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultFeatureGates, type JsonObject, metadataOf } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { crdOf, versionOf } from './fixtures/crd.ts';

const json = { 'content-type': 'application/json' };
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const boxes = '/apis/example.com/v1/namespaces/default/boxes';

const sizes = {
  type: 'object',
  additionalProperties: { type: 'integer' },
  'x-kubernetes-property-names': { type: 'string', maxLength: 3, pattern: '^[a-z]+$' },
};
const crd = (plural: string, kind: string): JsonObject =>
  crdOf(kind, { plural, versions: [versionOf({ spec: { type: 'object', properties: { sizes } } })] });
const box = (name: string, sizes: JsonObject) => ({
  apiVersion: 'example.com/v1',
  kind: 'Box',
  metadata: { name },
  spec: { sizes },
});

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ilk-map-keys-'));
});
afterAll(() => rmSync(dataDir, { recursive: true }));

async function call(server: IlkServer, method: string, path: string, body?: object) {
  const init = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
  const response = await server.fetch(path, { method, ...init });
  return { code: response.status, body: (await response.json()) as JsonObject };
}

/** Opens the same data with the gate on or off. */
const open = (enabled: boolean) =>
  startServer({
    storage: { kind: 'sqlite', dataDir },
    listen: false,
    featureGates: { ...defaultFeatureGates(), CRDPropertyNameSchemas: enabled },
  });

const keySchema = (body: object) =>
  JSON.stringify(body).includes('"x-kubernetes-property-names":{') ? 'kept' : 'dropped';

test('the gate of map keys on, off, and on again, over the same data', async () => {
  {
    await using on = await open(true);
    expect(keySchema((await call(on, 'POST', crds, crd('boxes', 'Box'))).body)).toBe('kept');
    await expect.poll(async () => (await call(on, 'GET', boxes)).code).toBe(200);
    const refused = await call(on, 'POST', boxes, box('first', { big: 1, large: 2 }));
    expect(refused).toMatchObject({
      code: 422,
      body: { message: expect.stringContaining('spec.sizes') },
    });
  }
  {
    await using off = await open(false);
    expect((await call(off, 'POST', boxes, box('first', { large: 2 }))).code).toBe(201);
    const kept = await call(off, 'GET', `${crds}/boxes.example.com`);
    expect(keySchema(kept.body)).toBe('kept');
    expect(keySchema((await call(off, 'PUT', `${crds}/boxes.example.com`, kept.body)).body)).toBe('kept');
    expect(keySchema((await call(off, 'POST', crds, crd('cases', 'Case'))).body)).toBe('dropped');
  }
  {
    await using on = await open(true);
    expect((await call(on, 'POST', boxes, box('second', { large: 2 }))).code).toBe(422);
    const first = await call(on, 'GET', `${boxes}/first`);
    const labelled = {
      ...first.body,
      metadata: { ...metadataOf(first.body), labels: { a: 'b' } },
    };
    expect((await call(on, 'PUT', `${boxes}/first`, labelled)).code).toBe(200);
  }
});
