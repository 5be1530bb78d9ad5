import { KubeConfig, type V1CustomResourceDefinition } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { OptionError, startServer } from '../../src/library/index.ts';
import * as testing from '../../src/testing/index.ts';

const crd: V1CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gardens.example.com', creationTimestamp: new Date(0) },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gardens', kind: 'Garden' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        selectableFields: [{ jsonPath: '.spec.beds' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                _default: { beds: 1 },
                properties: { beds: { type: 'integer', _default: 3 } },
                x_kubernetes_validations: [{ rule: 'self.beds < 10', message: 'too many beds' }],
              },
            },
          },
        },
      },
    ],
  },
};
const gardens = '/apis/example.com/v1/namespaces/default/gardens';
const post = (spec?: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Garden', metadata: { name: 'roses' }, spec }),
});

test('both entries have the same one', () => {
  expect(testing.startServer).toBe(startServer);
});

test('a typed CRD of a client library means what it says, its defaults and rules included', async () => {
  await using server = await startServer({ crds: [crd], listen: false });
  const refused = await server.fetch(gardens, post({ beds: 12 }));
  expect(await refused.json()).toMatchObject({
    code: 422,
    message: 'Garden.example.com "roses" is invalid: spec: Invalid value: too many beds',
  });
  const created = await server.fetch(gardens, post({}));
  expect(await created.json()).toMatchObject({ spec: { beds: 3 } });
});

test('half a listen has the other half by default', async () => {
  await using server = await startServer({ listen: { host: '127.0.0.1' } });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  expect(config.getCurrentCluster()?.server).toBe(server.url);
});

test('feature gates that are left out keep their defaults', async () => {
  await using server = await startServer({
    crds: [crd],
    listen: false,
    featureGates: { CRDValidationRatcheting: false },
  });
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gardens.example.com';
  expect(await (await server.fetch(path)).json()).toMatchObject({
    spec: { versions: [{ selectableFields: [{ jsonPath: '.spec.beds' }] }] },
  });
});

test('what is no option is refused before anything is opened', async () => {
  // @ts-expect-error: a caller without types.
  await expect(startServer({ crd: [] })).rejects.toThrow(OptionError);
  await using server = await startServer({ listen: false });
  // @ts-expect-error: a fork is in memory.
  await expect(server.fork({ storage: { kind: 'memory' } })).rejects.toThrow(OptionError);
});
