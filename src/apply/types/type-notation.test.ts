import { describe, expect, test } from 'vitest';
import { customResourceDefinitionType, namespaceType } from './builtin-types.ts';
import { deducedType } from '../typed/merge-type.ts';
import { objectMetaType, objectType } from './object-type.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { typeFromNotation } from './type-notation.ts';
import { checkTyped } from '../typed/validate.ts';

const strict = { allowDuplicates: false };

describe('a merge type as data', () => {
  test('says scalars, maps, sets and lists', () => {
    expect(typeFromNotation('string')).toEqual({ scalar: 'string' });
    expect(typeFromNotation('any')).toBe(deducedType);
    expect(typeFromNotation({ set: 'string' }).list).toEqual({
      element: { scalar: 'string' },
      relationship: 'associative',
      keys: [],
    });
    expect(typeFromNotation({ list: 'number' }).list?.relationship).toBe('atomic');
    expect(typeFromNotation({ map: 'number', atomic: true }).map?.relationship).toBe('atomic');
  });

  test('describes the ports of a Service', () => {
    const port = {
      struct: { name: 'string', port: 'number', protocol: 'string', targetPort: 'scalar' },
    } as const;
    const service = objectType({
      spec: { struct: { ports: { list: port, by: ['port', 'protocol'], defaults: { protocol: 'TCP' } } } },
    });
    const ports = [{ port: 80 }, { port: 80, protocol: 'UDP', targetPort: 'web' }];
    expect(toFieldSet(service, { spec: { ports } }).toText()).toEqual([
      '.spec.ports[port=80,protocol="TCP"]',
      '.spec.ports[port=80,protocol="UDP"]',
      '.spec.ports[port=80,protocol="TCP"].port',
      '.spec.ports[port=80,protocol="UDP"].port',
      '.spec.ports[port=80,protocol="UDP"].protocol',
      '.spec.ports[port=80,protocol="UDP"].targetPort',
    ]);
  });

  test('describes object metadata', () => {
    const metadata = {
      labels: { a: 'b' },
      finalizers: ['x/y'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u1' }],
      managedFields: [{ manager: 'm' }],
    };
    expect(toFieldSet(objectMetaType, metadata).toText()).toEqual([
      '.managedFields',
      '.finalizers[="x/y"]',
      '.labels.a',
      '.ownerReferences[uid="u1"]',
    ]);
  });
});

describe('built-in kinds', () => {
  test('a Namespace keeps finalizers as one field and conditions by type', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'a' },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active', conditions: [{ type: 'X', status: 'True' }] },
    };
    expect(checkTyped(namespaceType, object, strict)).toEqual([]);
    expect(toFieldSet(namespaceType, object).toText()).toContain('.spec.finalizers');
    expect(toFieldSet(namespaceType, object).toText()).toContain('.status.conditions[type="X"].status');
  });

  test('a CRD keeps versions as one field and feature gates by name', () => {
    const object = {
      spec: {
        group: 'example.com',
        names: { plural: 'as', kind: 'A' },
        scope: 'Namespaced',
        customFeatureGates: { featureGates: [{ name: 'G', preRelease: 'alpha', fieldPaths: ['.spec.x'] }] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string' } } } },
            subresources: { status: {} },
            selectableFields: [{ jsonPath: '.spec.x' }],
          },
        ],
      },
    };
    expect(checkTyped(customResourceDefinitionType, object, strict)).toEqual([]);
    expect(toFieldSet(customResourceDefinitionType, object).toText()).toEqual([
      '.spec.group',
      '.spec.scope',
      '.spec.versions',
      '.spec.customFeatureGates.featureGates[name="G"]',
      '.spec.customFeatureGates.featureGates[name="G"].fieldPaths',
      '.spec.customFeatureGates.featureGates[name="G"].name',
      '.spec.customFeatureGates.featureGates[name="G"].preRelease',
      '.spec.names.kind',
      '.spec.names.plural',
    ]);
    const typo = { spec: { versions: [{ name: 'v1', srved: true }] } };
    expect(checkTyped(customResourceDefinitionType, typo, strict)).toEqual([
      { path: '.spec.versions[0].srved', message: 'field not declared in schema' },
    ]);
  });
});
