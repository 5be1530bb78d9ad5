import type { JsonObject, KubeObject } from '../../src/meta/index.ts';

const text: JsonObject = { type: 'string' };

const boatSpec: JsonObject = {
  type: 'object',
  required: ['color'],
  properties: {
    color: { type: 'string', enum: ['blue', 'green', 'red'], description: 'The colour of the hull.' },
    masts: { type: 'integer', minimum: 0, maximum: 9, default: 1 },
    flags: {
      type: 'object',
      description: 'What it flies.',
      'x-kubernetes-property-names': { type: 'string', format: 'k8s-label-key', maxLength: 100 },
      additionalProperties: text,
    },
    cargo: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, tons: { type: 'number', minimum: 0, exclusiveMinimum: true } },
      },
    },
    hull: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: 'self == oldSelf' }],
    },
    owner: {
      type: 'object',
      properties: { email: { type: 'string', format: 'email', description: 'Where the owner gets mail' } },
    },
    sail: { type: 'string' },
    steam: { type: 'boolean' },
  },
};

const status: JsonObject = { type: 'object', properties: { phase: text } };

const serial: JsonObject = { type: 'integer', format: 'int64', default: 123456789 };

function versionOf(name: string, spec: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    name,
    served: true,
    storage: name === 'v1',
    subresources: { status: {} },
    schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
    ...more,
  };
}

/** A kind with two versions, rules, keys of maps, and two gates of which one is inside the other. */
export const boatCrd: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'boats', singular: 'boat', kind: 'Boat', shortNames: ['bt'] },
    versions: [
      versionOf(
        'v1',
        { ...boatSpec, properties: { ...(boatSpec['properties'] as JsonObject), serial } },
        { selectableFields: [{ jsonPath: '.spec.color' }] },
      ),
      versionOf('v2', {
        type: 'object',
        properties: {
          color: { type: 'string', enum: ['blue', 'red'] },
          masts: { type: 'integer' },
          paint: text,
        },
      }),
    ],
    customFeatureGates: {
      component: 'harbour',
      featureGates: [
        { name: 'Sailing', preRelease: 'beta', fieldPaths: ['.spec.sail'] },
        { name: 'Steaming', preRelease: 'alpha', fieldPaths: ['.spec.steam'] },
      ],
    },
  },
};

/** The same, with the largest number of 64 bits, which a double rounds. */
export const boatCrdText = JSON.stringify(boatCrd).replace('123456789', '9223372036854775807');

const markup = '<img src=x onerror=alert(1)><script>alert(1)</script>';
const words = 'Words that explain what the field is good for, when to set it, and what comes of it. ';
const parts = 270;

/** As large as a definition can be stored, which is a file of 2 MB, with names and texts that mean harm. */
export function hugeCrd(): KubeObject {
  const fields: JsonObject = {};
  for (let part = 0; part < parts; part += 1) {
    const inside: JsonObject = {};
    for (let at = 0; at < 40; at += 1) {
      inside[`field${String(at).padStart(2, '0')}`] = {
        type: 'string',
        description: `${words}${part}/${at}`,
      };
    }
    fields[`part${String(part).padStart(4, '0')}`] = {
      type: 'object',
      description: words,
      properties: inside,
    };
  }
  const hostile = JSON.parse(
    JSON.stringify({
      [markup]: { type: 'string', description: `markup ${markup}` },
      proto: { type: 'string', description: markup },
    }).replace('"proto"', '"__proto__"'),
  ) as JsonObject;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'hulks.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'hulks', singular: 'hulk', kind: 'Hulk' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { ...fields, ...hostile } }, status },
            },
          },
        },
      ],
    },
  };
}
