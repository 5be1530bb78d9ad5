import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { openSqliteStore } from '../../src/storage/index.ts';
import { Api } from '../controllers/api.ts';

/** A CRD as a kube-apiserver keeps it, from a time when v1beta1 could be written: its schema is not structural. */
const stored = {
  apiVersion: 'apiextensions.k8s.io/v1beta1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'foos.example.com', uid: '11111111-1111-1111-1111-111111111111', generation: 1 },
  spec: {
    group: 'example.com',
    version: 'v1',
    names: { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList' },
    scope: 'Namespaced',
    additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: '.a' }],
    validation: { openAPIV3Schema: { type: 'object', properties: { a: {}, b: { type: 'integer' } } } },
  },
  status: { acceptedNames: { plural: '', kind: '' }, conditions: [], storedVersions: ['v1'] },
};

const dataDir = mkdtempSync(join(tmpdir(), 'ilk-v1beta1-'));
afterAll(() => rmSync(dataDir, { recursive: true }));
beforeAll(async () => {
  const store = await openSqliteStore({ dataDir });
  const key = '/registry/apiextensions.k8s.io/customresourcedefinitions/foos.example.com';
  await store.commit({ key, value: Buffer.from(JSON.stringify(stored)), expect: 0 });
  await store.close();
});

const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/foos.example.com';
const foos = '/apis/example.com/v1/namespaces/default/foos';

test('a CRD in v1beta1 is shown in v1, and serves: it validates, prunes nothing, and says what is wrong with it', async () => {
  await using server = await startServer({ storage: { kind: 'sqlite', dataDir }, listen: false });
  const api = Api.of(server);
  const reasons = (body: { status: { conditions: { reason: string }[] } }) =>
    body.status.conditions.map(({ reason }) => reason);
  const shown = await api.settles(crd, (body) => reasons(body).length === 3);
  expect(reasons(shown).sort()).toEqual(['InitialNamesAccepted', 'NoConflicts', 'Violations']);
  expect(
    shown.status.conditions.find(({ reason }: { reason: string }) => reason === 'Violations').message,
  ).toBe(
    '[spec.preserveUnknownFields: Invalid value: true: must be false, ' +
      'spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields]',
  );
  expect(shown).toMatchObject({
    apiVersion: 'apiextensions.k8s.io/v1',
    spec: {
      preserveUnknownFields: true,
      versions: [
        {
          name: 'v1',
          schema: stored.spec.validation,
          additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a' }],
        },
      ],
    },
  });
  const foo = { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'one' }, a: 1, c: { d: 2 } };
  expect(await api.create(foos, foo)).toMatchObject({ a: 1, c: { d: 2 } });
  const wrong = await api.call('POST', foos, { ...foo, metadata: { name: 'two' }, b: 'x' });
  expect([wrong.code, wrong.body.message]).toEqual([
    422,
    expect.stringContaining('b in body must be of type integer'),
  ]);
  const { body: document } = await api.get('/openapi/v3/apis/example.com/v1');
  expect(document.components.schemas['com.example.v1.Foo']).toMatchObject({ type: 'object' });
  expect((await api.get('/openapi/v2')).code).toBe(200);

  const openAPIV3Schema = { type: 'object', properties: { a: { type: 'integer' } } };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  await api.merge(crd, { spec: { preserveUnknownFields: false, versions } });
  const mended = await api.settles(crd, (body) => reasons(body).length === 2);
  expect(mended.apiVersion).toBe('apiextensions.k8s.io/v1');
  expect((await api.get(`${foos}/one`)).body).not.toHaveProperty('c');
});
