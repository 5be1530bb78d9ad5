import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clone, type JsonObject, type KubeObject } from '../../meta/index.ts';
import { CrdDecodeError } from './crd-decode-error.ts';
import { crdSchema } from './crd-schema.ts';

interface GoCase {
  readonly crd: JsonObject;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly unknownFields?: string[];
  readonly error?: string;
}

// The results of apiextensions-apiserver 0.37.2 for these objects. It also fills status.storedVersions when it reads;
// Ilk does that when an object is written.
const goCases: readonly GoCase[] = JSON.parse(
  readFileSync(new URL('go-cases.json', import.meta.url), 'utf8'),
);

function normalized(crd: KubeObject): { crd: KubeObject; unknownFields: string[] } {
  const unknownFields: string[] = [];
  const copy = clone(crd);
  crdSchema().normalize(copy, { unknownFields });
  return { crd: copy, unknownFields };
}

describe('a CustomResourceDefinition is read as upstream reads it', () => {
  test.each(goCases.filter((one) => one.error === undefined))('$crd', (expected) => {
    const { crd, unknownFields } = normalized({ metadata: { name: 'a' }, ...expected.crd });
    expect(JSON.stringify({ spec: crd['spec'], status: crd['status'] })).toBe(
      JSON.stringify({ spec: expected.spec, status: expected.status }),
    );
    expect(unknownFields).toEqual(expected.unknownFields);
  });

  test.each(goCases.filter((one) => one.error === undefined))('once is as good as twice: $crd', ({ crd }) => {
    const once = normalized(crd).crd;
    const twice = normalized(once);
    expect(twice).toEqual({ crd: once, unknownFields: [] });
  });

  test.each(goCases.filter((one) => one.error !== undefined))('refused: $error', ({ crd, error }) => {
    expect(() => normalized(crd)).toThrow(new CrdDecodeError(error ?? ''));
  });
});

test('an object without anything gets all that Go always writes', () => {
  expect(JSON.stringify(normalized({ status: null, spec: null, kind: 'K', apiVersion: 'v' }).crd)).toBe(
    JSON.stringify({
      kind: 'K',
      apiVersion: 'v',
      metadata: {},
      spec: {
        group: '',
        names: { plural: '', kind: '' },
        scope: '',
        versions: null,
        conversion: { strategy: 'None' },
      },
      status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
    }),
  );
});

test('something else than a schema under items reads as nothing', () => {
  const schema = { type: 'array', items: 'x', dependencies: { a: 3 } };
  const { crd } = normalized({ spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } });
  expect(crd['spec']).toMatchObject({
    versions: [{ schema: { openAPIV3Schema: { type: 'array', dependencies: { a: null } } } }],
  });
});

test('the fields of KEP-2608 and KEP-5667 are read like all others', () => {
  const { crd, unknownFields } = normalized({
    spec: {
      customFeatureGates: {
        component: 'c',
        other: 1,
        featureGates: [{ name: 'a', enabled: false, preRelease: 'alpha', fieldPaths: ['.spec.a'], more: 1 }],
      },
      versions: [
        {
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-property-names': { maxLength: 3, more: 1 } },
          },
        },
      ],
    },
  });
  expect(crd['spec']).toMatchObject({
    customFeatureGates: {
      component: 'c',
      featureGates: [{ name: 'a', enabled: false, preRelease: 'alpha', fieldPaths: ['.spec.a'] }],
    },
    versions: [
      { schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-property-names': { maxLength: 3 } } } },
    ],
  });
  expect(unknownFields).toEqual([
    'spec.customFeatureGates.other',
    'spec.customFeatureGates.featureGates[0].more',
    'spec.versions[0].schema.openAPIV3Schema.x-kubernetes-property-names.more',
  ]);
});

test('properties may have the names of what JavaScript objects inherit', () => {
  const crd: KubeObject = JSON.parse(
    '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"properties":{"__proto__":{"type":"string"},"constructor":{}}}}}]}}',
  );
  expect(JSON.stringify(normalized(crd).crd['spec'])).toContain(
    '{"properties":{"__proto__":{"type":"string"},"constructor":{}}}',
  );
});

test('metadata of a wrong type is refused, or dropped where that is asked for', () => {
  expect(() => normalized({ metadata: { name: 1 } })).toThrow(
    new CrdDecodeError(
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string',
    ),
  );
  expect(() => normalized({ metadata: [] })).toThrow(
    new CrdDecodeError(
      'json: cannot unmarshal array into Go struct field CustomResourceDefinition.metadata of type v1.ObjectMeta',
    ),
  );
  const stored: KubeObject = { metadata: { name: 1, uid: 'u' } };
  crdSchema().normalize(stored, { dropInvalidMetadata: true });
  expect(stored['metadata']).toEqual({ uid: 'u' });
});

test('the first mistake is reported, but one inside of items before all others', () => {
  const version = (schema: JsonObject) => ({ name: 1, schema: { openAPIV3Schema: schema } });
  const place = 'json: cannot unmarshal number into Go struct field';
  expect(() => normalized({ spec: { versions: [version({ type: 2 })] } })).toThrow(
    new CrdDecodeError(`${place} CustomResourceDefinitionVersion.spec.versions.name of type string`),
  );
  expect(() => normalized({ spec: { versions: [version({ items: { type: 2 } })] } })).toThrow(
    new CrdDecodeError(
      `${place} JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items.type of type string`,
    ),
  );
});
