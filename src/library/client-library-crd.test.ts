import { expect, test } from 'vitest';
import { withWireNames } from './client-library-crd.ts';

const crdWith = (schema: object) =>
  JSON.parse(
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gardens.example.com' },
      spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
    }),
  );

test.each([
  [
    { _default: 3, _enum: [3] },
    { default: 3, enum: [3] },
  ],
  [{ x_kubernetes_int_or_string: true }, { 'x-kubernetes-int-or-string': true }],
  [{ x_kubernetes_list_map_keys: ['a_b'] }, { 'x-kubernetes-list-map-keys': ['a_b'] }],
  [{ properties: { _default: { _enum: [1] } } }, { properties: { _default: { enum: [1] } } }],
  [{ items: { _default: 1 } }, { items: { default: 1 } }],
  [
    { anyOf: [{ _enum: [1] }], not: { _enum: [2] } },
    { anyOf: [{ enum: [1] }], not: { enum: [2] } },
  ],
  [{ additionalProperties: true }, { additionalProperties: true }],
  // Values that are not schemas do not change.
  [
    { default: { _enum: 1 }, example: { x_kubernetes_a: 1 } },
    { default: { _enum: 1 }, example: { x_kubernetes_a: 1 } },
  ],
])('%j', (schema, wanted) => {
  expect(withWireNames(crdWith(schema))).toEqual(crdWith(wanted));
});

test.each([
  [{ kind: 'Garden', spec: { versions: [{ schema: { openAPIV3Schema: { _default: 1 } } }] } }],
  [{ kind: 'CustomResourceDefinition' }],
  [{ kind: 'CustomResourceDefinition', spec: { versions: [null, 1, { schema: 'x' }] } }],
])('%j stays as it is', (object) => {
  expect(withWireNames(JSON.parse(JSON.stringify(object)))).toEqual(object);
});
