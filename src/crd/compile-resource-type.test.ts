import { describe, expect, test } from 'vitest';
import { InvariantError, type JsonObject, type KubeObject } from '../meta/index.ts';
import { SchemaCache, schemaless } from '../schema/index.ts';
import { compileResourceType } from './compile-resource-type.ts';
import { setCondition } from './conditions.ts';
import { fooCrd, gates, versionNamed } from './example.test-data.ts';

function compile(crd: KubeObject, off: Partial<typeof gates> = {}) {
  const options = { gates: { ...gates, ...off } };
  return compileResourceType(crd, { ...options, schemas: new SchemaCache(options) });
}

const onlyV1 = (change: JsonObject) =>
  fooCrd({ versions: [versionNamed('v1', { storage: true, ...change })] });

test('a CRD whose names are not accepted yet is not served, and uses the names of its spec', () => {
  expect(compile(fooCrd({}, { metadata: { name: 'foos.example.com', uid: 'u' } }))).toMatchObject({
    group: 'example.com',
    kind: 'Foo',
    listKind: 'FooList',
    resource: 'foos',
    singular: 'foo',
    shortNames: [],
    categories: [],
    namespaced: true,
    uid: 'u',
    served: false,
    established: false,
    terminating: false,
  });
});

test('a served CRD goes by the names that were accepted', () => {
  const crd = fooCrd(
    {
      names: { plural: 'foos', kind: 'Foo', shortNames: ['fo', 'f'], categories: ['all'] },
      scope: 'Cluster',
    },
    {
      status: {
        acceptedNames: { plural: 'foos', kind: 'OldFoo', listKind: 'OldFooList', shortNames: ['f'] },
      },
    },
  );
  setCondition(crd, { type: 'NamesAccepted', status: 'True', reason: '', message: '' }, 0);
  expect(compile(crd)).toMatchObject({
    kind: 'OldFoo',
    listKind: 'OldFooList',
    singular: 'foo',
    shortNames: ['f'],
    categories: [],
    namespaced: false,
    served: true,
    established: false,
  });
});

test('versions come in the order of discovery, and the storage version is one of them', () => {
  const versions = ['v1beta1', 'v1', 'foo', 'v2alpha1', 'v2', 'v1beta2'].map((name) =>
    versionNamed(name, { storage: name === 'v1' }),
  );
  const type = compile(fooCrd({ versions }));
  expect(type.versions.map((version) => version.name)).toEqual([
    'v2',
    'v1',
    'v1beta2',
    'v1beta1',
    'v2alpha1',
    'foo',
  ]);
  expect(type.storageVersion).toBe(type.versions[1]);
});

test('a CRD without a storage version is a bug, for validation refuses it', () => {
  expect(() => compile(fooCrd({ versions: [versionNamed('v1')] }))).toThrow(InvariantError);
});

describe('deprecation', () => {
  function warnings(versions: JsonObject[]) {
    const type = compile(fooCrd({ versions }));
    return Object.fromEntries(type.versions.map((version) => [version.name, version.deprecationWarning]));
  }

  test.each([
    [
      'the best later version is named',
      [
        ['v1beta1', 'd'],
        ['v1', 's'],
        ['v2', ''],
      ],
      'use example.com/v2 Foo',
    ],
    [
      'an earlier version is no way out',
      [
        ['v1beta1', 'd'],
        ['v1alpha1', 's'],
      ],
      undefined,
    ],
    [
      'nor is a deprecated one',
      [
        ['v1beta1', 'd'],
        ['v1', 'sd'],
      ],
      undefined,
    ],
    [
      'nor one that is not served',
      [
        ['v1beta1', 'd'],
        ['v1', 'sn'],
      ],
      undefined,
    ],
  ])('%s', (_, versions, use) => {
    const found = warnings(
      versions.map(([name = '', flags = '']) =>
        versionNamed(name, {
          storage: flags.includes('s'),
          deprecated: flags.includes('d'),
          served: !flags.includes('n'),
        }),
      ),
    );
    const text = 'example.com/v1beta1 Foo is deprecated';
    expect(found['v1beta1']).toBe(use === undefined ? text : `${text}; ${use}`);
  });

  test('the text of the CRD is taken as it is', () => {
    const change = { deprecated: true, deprecationWarning: 'do not' };
    expect(compile(onlyV1(change)).storageVersion.deprecationWarning).toBe('do not');
    expect(compile(fooCrd()).storageVersion.deprecationWarning).toBeUndefined();
  });
});

describe('what a version has', () => {
  const change: JsonObject = {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '',
      },
    },
    selectableFields: [{ jsonPath: '.spec.color' }],
    additionalPrinterColumns: [{ name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 }],
  };
  const version = compile(onlyV1(change)).storageVersion;

  test('subresources', () => {
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    expect(version.subresources).toEqual({ status: true, scale });
    const off = compile(onlyV1(change), { CustomResourceSubResources: false }).storageVersion;
    expect(off.subresources).toEqual({ status: false, scale: undefined });
  });

  test('selectable fields', () => {
    expect(version.selectableFields).toEqual([
      { fieldPath: 'spec.color', valueType: 'string', mayDefault: false },
    ]);
    const off = compile(onlyV1(change), { CustomResourceFieldSelectors: false }).storageVersion;
    expect(off.selectableFields).toEqual([]);
  });

  test('printer columns', () => {
    expect(version.printerColumns).toEqual([
      { name: 'Color', type: 'string', format: '', description: '', priority: 1, jsonPath: '.spec.color' },
    ]);
  });

  test('nothing of it can be changed', () => {
    const type = compile(onlyV1(change));
    for (const part of [type, type.versions, type.storageVersion, type.storageVersion.subresources]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

describe('the schema', () => {
  test('is compiled on first use, once', () => {
    const cache = new SchemaCache({ gates });
    const asked: JsonObject[] = [];
    const get = cache.get.bind(cache);
    cache.get = (schema) => {
      asked.push(schema);
      return get(schema);
    };
    const { storageVersion } = compileResourceType(fooCrd(), { gates, schemas: cache });
    expect(asked).toEqual([]);
    expect(storageVersion.schema()).toBe(storageVersion.schema());
    expect(asked).toEqual([storageVersion.openAPIV3Schema]);
  });

  test('of equal versions is the same', () => {
    const versions = [versionNamed('v1', { storage: true }), versionNamed('v2')];
    const [v2, v1] = compile(fooCrd({ versions })).versions;
    expect(v1?.schema()).toBe(v2?.schema());
  });

  test('may be missing in what was stored long ago', () => {
    const { storageVersion } = compile(fooCrd({ versions: [{ name: 'v1', served: true, storage: true }] }));
    expect(storageVersion.openAPIV3Schema).toBeUndefined();
    expect(storageVersion.schema()).toBe(schemaless);
  });
});
