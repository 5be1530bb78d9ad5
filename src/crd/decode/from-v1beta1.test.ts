import { expect, test } from 'vitest';
import { clone, type JsonObject } from '../../meta/index.ts';
import { crdFromV1beta1 } from './from-v1beta1.ts';

const names = { plural: 'foos', kind: 'Foo' };

function translated(spec: JsonObject, apiVersion = 'apiextensions.k8s.io/v1beta1') {
  const crd = {
    apiVersion,
    kind: 'CustomResourceDefinition',
    spec: { group: 'example.com', names, ...clone(spec) },
  };
  crdFromV1beta1(crd);
  const { group, names: _, ...rest } = crd.spec as JsonObject;
  expect(group).toBe('example.com');
  return { apiVersion: crd.apiVersion, ...rest };
}

const v1 = { apiVersion: 'apiextensions.k8s.io/v1', scope: 'Namespaced', preserveUnknownFields: true };
const schema = { openAPIV3Schema: { type: 'object' } };

test('one version, with everything at the top', () => {
  const additionalPrinterColumns = [{ name: 'Age', type: 'date', JSONPath: '.metadata.creationTimestamp' }];
  const selectableFields = [{ jsonPath: '.spec.colour' }];
  const shared = {
    validation: schema,
    subresources: { status: {} },
    additionalPrinterColumns,
    selectableFields,
  };
  expect(translated({ version: 'v1', ...shared })).toEqual({
    ...v1,
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
        selectableFields,
      },
    ],
  });
});

test('several versions share what stands at the top, or have their own', () => {
  const versions = [
    { name: 'v1', served: true, storage: true },
    { name: 'v2', served: true, storage: false },
  ];
  expect(translated({ version: 'v1', versions, validation: schema })).toEqual({
    ...v1,
    versions: versions.map((version) => ({ ...version, schema })),
  });
  const own = versions.map((version) => ({
    ...version,
    schema: { openAPIV3Schema: { type: 'object', description: version.name } },
    additionalPrinterColumns: [{ name: 'A', JSONPath: '.a' }],
  }));
  expect(
    translated({ version: 'v1', versions: own, scope: 'Cluster', preserveUnknownFields: false }),
  ).toEqual({
    apiVersion: 'apiextensions.k8s.io/v1',
    scope: 'Cluster',
    preserveUnknownFields: false,
    versions: own.map((version) => ({
      ...version,
      additionalPrinterColumns: [{ name: 'A', jsonPath: '.a' }],
    })),
  });
});

test.each<[string, JsonObject, JsonObject]>([
  ['None', { strategy: 'None' }, { strategy: 'None' }],
  [
    'Webhook',
    { strategy: 'Webhook', webhookClientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
    {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
    },
  ],
  [
    'Webhook without review versions',
    { strategy: 'Webhook', webhookClientConfig: { url: 'https://x' } },
    {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1beta1'] },
    },
  ],
])('conversion %s', (_, conversion, expected) => {
  expect(translated({ version: 'v1', conversion })).toMatchObject({ conversion: expected });
});

test('v1 stays as it is, and what is no CRD does no harm', () => {
  const spec = { scope: 'Cluster', versions: [{ name: 'v1' }], validation: 'x' };
  expect(translated(spec, 'apiextensions.k8s.io/v1')).toEqual({
    apiVersion: 'apiextensions.k8s.io/v1',
    ...spec,
  });
  for (const broken of [
    {},
    { spec: null },
    { spec: [] },
    { spec: { versions: 'x', additionalPrinterColumns: [1] } },
  ]) {
    crdFromV1beta1({ apiVersion: 'apiextensions.k8s.io/v1beta1', ...broken });
  }
});
