import { expect, test } from 'vitest';
import type { JsonObject } from '../meta/index.ts';
import { aggregatedDocument } from './aggregated-document.ts';
import { apiGroups } from './api-groups.ts';
import { apiGroupListDocument, apiResourceListDocument } from './legacy-documents.ts';
import { typeOf } from './openapi/documents.test-data.ts';

interface Made {
  readonly group?: string;
  readonly versions?: JsonObject[];
  readonly names?: JsonObject;
  readonly established?: boolean;
  readonly terminating?: boolean;
}

const version = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: false,
  ...more,
});

/** A type of a CRD. */
function custom(plural: string, { group = 'example.com', versions, names = {}, ...conditions }: Made = {}) {
  const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`;
  const spec = {
    group,
    scope: 'Namespaced',
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, ...names },
    versions: versions ?? [version('v1', { storage: true })],
  };
  return { ...typeOf(spec), uid: 'u', established: true, ...conditions };
}

test('sorts groups by priority, then name; versions by preference; resources by name', () => {
  const review = { group: 'authorization.k8s.io', version: 'v1', resource: 'reviews', kind: 'Review' };
  const versions = [version('v1alpha1'), version('v1', { storage: true }), version('v2beta1')];
  const types = [
    custom('zebras', { group: 'zoo.com' }),
    custom('pears'),
    custom('apples', { versions }),
    { ...custom('leases', { group: 'coordination.k8s.io' }), uid: '' },
  ];
  const { named } = apiGroups(types, [review]);
  expect(named.map(({ name }) => name)).toEqual([
    'authorization.k8s.io',
    'coordination.k8s.io',
    'example.com',
    'zoo.com',
  ]);
  expect(named[2]?.versions.map((one) => one.version)).toEqual(['v1', 'v2beta1', 'v1alpha1']);
  expect(named[2]?.versions[0]?.resources.map(({ name }) => name)).toEqual(['apples', 'pears']);
  expect(apiGroupListDocument({ core: [], named })['groups']).toContainEqual({
    name: 'zoo.com',
    versions: [{ groupVersion: 'zoo.com/v1', version: 'v1' }],
    preferredVersion: { groupVersion: 'zoo.com/v1', version: 'v1' },
  });
});

test('omits resources that are not established and versions that are not served', () => {
  const versions = [version('v1', { storage: true }), version('v2', { served: false })];
  const { named } = apiGroups([custom('apples', { versions }), custom('pears', { established: false })], []);
  expect(named).toMatchObject([
    { name: 'example.com', versions: [{ version: 'v1', resources: [{ name: 'apples' }] }] },
  ]);
});

const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const full = custom('apples', {
  names: { shortNames: ['ap'], categories: ['all', 'fruit'] },
  versions: [version('v1', { storage: true, subresources: { status: {}, scale } })],
});

test('the APIResourceList has subresources beside the resource, and the storage version hash', () => {
  const [group] = apiGroups([full], []).named;
  expect(group?.versions.map(apiResourceListDocument)).toEqual([
    {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'example.com/v1',
      resources: [
        {
          name: 'apples',
          singularName: 'apple',
          namespaced: true,
          kind: 'Apple',
          verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
          shortNames: ['ap'],
          categories: ['all', 'fruit'],
          // printf example.com/v1/Apple | sha256sum | head -c 16 | xxd -r -p | base64
          storageVersionHash: 'ojISGEf5ApA=',
        },
        {
          name: 'apples/status',
          singularName: '',
          namespaced: true,
          kind: 'Apple',
          verbs: ['get', 'patch', 'update'],
        },
        {
          name: 'apples/scale',
          singularName: '',
          namespaced: true,
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get', 'patch', 'update'],
        },
      ],
    },
  ]);
});

test('the aggregated document has them in the resource, without a hash', () => {
  const own = { group: 'example.com', version: 'v1', kind: 'Apple' };
  const verbs = ['get', 'patch', 'update'];
  expect(aggregatedDocument(apiGroups([full], []).named)).toEqual({
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [
      {
        metadata: { name: 'example.com' },
        versions: [
          {
            version: 'v1',
            freshness: 'Current',
            resources: [
              {
                resource: 'apples',
                responseKind: own,
                scope: 'Namespaced',
                singularResource: 'apple',
                verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
                shortNames: ['ap'],
                categories: ['all', 'fruit'],
                subresources: [
                  { subresource: 'status', responseKind: own, verbs },
                  {
                    subresource: 'scale',
                    responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                    verbs,
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  });
});

test('omits the write verbs during deletion; omits the hash if the storage version is not served', () => {
  const versions = [version('v1'), version('v2', { storage: true, served: false })];
  const { named } = apiGroups([custom('apples', { terminating: true, versions })], []);
  const [resource] = named[0]?.versions[0]?.resources ?? [];
  expect(resource?.verbs).toEqual(['delete', 'deletecollection', 'get', 'list', 'watch']);
  expect(resource?.storageVersionHash).toBe('');
});
