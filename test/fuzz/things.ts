import type { Send } from './target.ts';

/** A kind with a field for everything that schemas can say. */
export const thingsPath = '/apis/fuzz.example.com/v1/namespaces/default/things';

const int = { type: 'integer' };
const text = { type: 'string', maxLength: 100 };

const thingCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.fuzz.example.com' },
  spec: {
    group: 'fuzz.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        selectableFields: [{ jsonPath: '.spec.text' }, { jsonPath: '.spec.count' }],
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                'x-kubernetes-validations': [{ rule: "!has(self.text) || !self.text.contains('!')" }],
                properties: {
                  text,
                  count: int,
                  number: { type: 'number', nullable: true, default: 1.5 },
                  either: { 'x-kubernetes-int-or-string': true },
                  time: { type: 'string', format: 'date-time' },
                  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
                  list: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['key'],
                    items: {
                      type: 'object',
                      required: ['key'],
                      properties: { key: { type: 'string', default: 'd' }, value: int },
                    },
                  },
                  map: {
                    type: 'object',
                    additionalProperties: int,
                    'x-kubernetes-property-names': { type: 'string', pattern: '^[a-z]*$' },
                  },
                  any: { 'x-kubernetes-preserve-unknown-fields': true },
                  object: {
                    type: 'object',
                    'x-kubernetes-embedded-resource': true,
                    'x-kubernetes-preserve-unknown-fields': true,
                  },
                  gated: text,
                  constructor: { type: 'string' },
                  toString: {
                    type: 'object',
                    default: {},
                    properties: { x: { type: 'integer', default: 3 } },
                  },
                },
              },
              status: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                properties: { count: int },
              },
            },
          },
        },
      },
    ],
    customFeatureGates: {
      featureGates: [{ name: 'Gated', preRelease: 'alpha', fieldPaths: ['.spec.gated'] }],
    },
  },
};

/** The fields of `.spec`. */
export const thingFields = [
  ...Object.keys(thingCrd.spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties ?? {}),
  '__proto__',
  'unknown',
];

/** Installs the kind, and puts a few objects there. */
export async function prepareThings(send: Send): Promise<void> {
  const json = 'application/json';
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await send({ method: 'POST', path, contentType: json, body: JSON.stringify(thingCrd) });
  while ((await send({ method: 'GET', path: thingsPath })).code === 404);
  for (let index = 0; index < 10; index += 1) {
    const spec = {
      text: `t${index}`,
      count: index,
      list: [{ key: 'a', value: 1 }],
      any: { list: [1, { a: 2 }] },
    };
    const thing = { apiVersion: 'fuzz.example.com/v1', kind: 'Thing', metadata: { name: `t${index}` }, spec };
    await send({ method: 'POST', path: thingsPath, contentType: json, body: JSON.stringify(thing) });
  }
}
