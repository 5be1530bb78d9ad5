import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';

const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const headers = { 'content-type': 'application/json' };

function crd(plural: string, schema: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.example.k8s.io`,
      annotations: { 'api-approved.kubernetes.io': 'https://example.com' },
      labels: {},
      finalizers: [],
    },
    spec: {
      group: 'example.k8s.io',
      scope: 'Namespaced',
      names: { plural, kind: plural, shortNames: [], categories: [] },
      versions: [
        {
          served: true,
          storage: true,
          name: 'v1',
          schema: { openAPIV3Schema: schema },
          additionalPrinterColumns: [],
          selectableFields: [],
        },
      ],
      ...more,
    },
  };
}

const schema = {
  properties: {
    spec: {
      type: 'object',
      properties: { size: { maximum: 1, type: 'integer', nullable: false } },
      required: [],
    },
    empty: { type: 'object', properties: {}, description: '', enum: [] },
  },
  type: 'object',
};

const texts = async (server: IlkServer) =>
  Promise.all(
    ['reds', 'greens', 'blues'].map(async (plural) => {
      const response = await server.fetch(`${crdsPath}/${plural}.example.k8s.io`);
      return response.text();
    }),
  );

async function send(
  server: IlkServer,
  method: string,
  path: string,
  body: object,
  type = headers['content-type'],
) {
  const { status } = await server.fetch(path, {
    method,
    headers: { 'content-type': type },
    body: JSON.stringify(body),
  });
  expect(status).toBeLessThan(300);
}

test('a CRD reads as it was written, whoever wrote it last, also when it is read from disk', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ilk-crds-'));
  const storage = { kind: 'sqlite', dataDir } as const;
  try {
    const written = await startServer({ storage, crds: [crd('reds', schema)], listen: false });
    await send(written, 'POST', crdsPath, crd('greens', schema, { conversion: null }));
    await send(written, 'POST', crdsPath, crd('blues', schema));
    let shown: string[] = [];
    while (!shown.every((text) => text.includes('KubernetesAPIApproval')) || shown.length === 0)
      shown = await texts(written);
    const one = `${crdsPath}/greens.example.k8s.io`;
    const patch = {
      spec: { versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }] },
    };
    await send(written, 'PATCH', one, patch, 'application/merge-patch+json');
    const applied = `${crdsPath}/blues.example.k8s.io?fieldManager=me&force=true`;
    await send(
      written,
      'PATCH',
      applied,
      crd('blues', { ...schema, description: 'x' }),
      'application/apply-patch+yaml',
    );
    const before = await texts(written);
    await written.close();
    await using read = await startServer({ storage, listen: false });
    expect(await texts(read)).toEqual(before);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
