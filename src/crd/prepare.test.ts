import { describe, expect, test } from 'vitest';
import { clone, type FeatureGateName, type JsonObject, type KubeObject, ownObject } from '../meta/index.ts';
import { fooCrd, fooSchema, gates, versionNamed } from './example.test-data.ts';
import {
  crdSpecChanged,
  prepareCrdForCreate,
  prepareCrdForUpdate,
  prepareCrdStatusUpdate,
} from './prepare.ts';

const status = {
  conditions: [{ type: 'Established', status: 'True', lastTransitionTime: null }],
  acceptedNames: { plural: 'foos', kind: 'Foo' },
  storedVersions: ['v1'],
};
const stored = (spec: JsonObject = {}) => fooCrd(spec, { status });

test('a new CRD starts with the status of the server', () => {
  const crd = stored();
  prepareCrdForCreate(crd, gates);
  expect(JSON.stringify(crd['status'])).toBe(
    '{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":["v1"]}',
  );
});

test('an update keeps the status and adds a new storage version', () => {
  const versions = [versionNamed('v1'), versionNamed('v2', { storage: true })];
  const crd = fooCrd({ versions });
  const old = stored();
  prepareCrdForUpdate(crd, old, gates);
  expect(crd['status']).toEqual({ ...status, storedVersions: ['v1', 'v2'] });
  expect(old['status']).toEqual(status);
  expect(crdSpecChanged(crd, old)).toBe(true);
});

test('only the spec counts as a change', () => {
  expect(crdSpecChanged(fooCrd({}, { metadata: { name: 'x' } }), stored())).toBe(false);
  expect(crdSpecChanged(fooCrd({ scope: 'Cluster' }), stored())).toBe(true);
});

test('an update of the status leaves the spec alone', () => {
  const crd = fooCrd({ scope: 'Cluster' }, { status: { ...status, storedVersions: ['v0'] } });
  prepareCrdStatusUpdate(crd, stored());
  expect(crd['spec']).toEqual(stored()['spec']);
  expect(ownObject(crd, 'status')?.['storedVersions']).toEqual(['v0']);
});

test('an update of the status that empties storedVersions gets the storage version', () => {
  const crd = fooCrd();
  prepareCrdStatusUpdate(crd, stored());
  expect(ownObject(crd, 'status')?.['storedVersions']).toEqual(['v1']);
});

describe('fields of a gate that is off', () => {
  const keySchema: JsonObject = clone(fooSchema);
  keySchema['properties'] = {
    a: {
      type: 'array',
      items: { additionalProperties: {}, 'x-kubernetes-property-names': { maxLength: 3 } },
    },
  };
  const ruleSchema: JsonObject = clone(fooSchema);
  ruleSchema['properties'] = {
    a: { items: { 'x-kubernetes-validations': [{ rule: 'self == oldSelf', optionalOldSelf: true }] } },
  };
  const table: readonly [FeatureGateName, JsonObject][] = [
    [
      'CustomResourceFieldSelectors',
      { versions: [versionNamed('v1', { storage: true, selectableFields: [{ jsonPath: '.spec.color' }] })] },
    ],
    [
      'CustomResourceSubResources',
      { versions: [versionNamed('v1', { storage: true, subresources: { status: {} } })] },
    ],
    [
      'CRDPropertyNameSchemas',
      { versions: [versionNamed('v1', { storage: true, schema: { openAPIV3Schema: keySchema } })] },
    ],
    [
      'CRDValidationRatcheting',
      { versions: [versionNamed('v1', { storage: true, schema: { openAPIV3Schema: ruleSchema } })] },
    ],
    ['CRDFieldLevelVersioning', { customFeatureGates: { featureGates: [] } }],
  ];
  const without = (text: string) =>
    /selectableFields|subresources|x-kubernetes-property-names|optionalOldSelf|customFeatureGates/.test(text);
  const text = (crd: KubeObject) => JSON.stringify(crd['spec']);

  test.each(table)('%s: are dropped from a new CRD', (gate, spec) => {
    const crd = fooCrd(spec);
    prepareCrdForCreate(crd, { ...gates, [gate]: false });
    expect(without(text(crd))).toBe(false);
  });

  test.each(table)('%s: stay where the stored CRD has them', (gate, spec) => {
    const crd = fooCrd(spec);
    prepareCrdForUpdate(crd, stored(spec), { ...gates, [gate]: false });
    expect(text(crd)).toBe(text(fooCrd(spec)));
    prepareCrdForUpdate(crd, stored(), { ...gates, [gate]: false });
    expect(without(text(crd))).toBe(false);
  });

  test.each(table)('%s: stay while the gate is on', (_, spec) => {
    const crd = fooCrd(spec);
    prepareCrdForCreate(crd, gates);
    expect(text(crd)).toBe(text(fooCrd(spec)));
  });
});
