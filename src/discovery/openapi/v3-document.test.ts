import { describe, expect, test } from 'vitest';
import { type JsonObject, own } from '../../meta/index.ts';
import {
  at,
  brokenOperations,
  danglingReferences,
  operationsIn,
  typeOf,
  widgetType,
} from './documents.test-data.ts';
import { openApiV3Document, serverDocuments } from './v3-document.ts';

const schemas = '#/components/schemas/';
const metadata = `${schemas}io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta`;

function documentOf(openAPIV3Schema: JsonObject, more: JsonObject = {}): JsonObject {
  return openApiV3Document([widgetType(openAPIV3Schema, more)], 'v1');
}

function schemaIn(document: JsonObject, name: string): JsonObject {
  return at(document, 'components', 'schemas', name) as JsonObject; // a test that meets nothing there fails
}

const simple: JsonObject = {
  type: 'object',
  description: 'A thing.',
  required: ['spec'],
  properties: {
    spec: { type: 'object', properties: { color: { type: 'string', default: 'blue', nullable: true } } },
    metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } },
  },
};

describe('the schema of a kind', () => {
  test('is the schema of the CRD with apiVersion, kind and metadata', () => {
    const widget = schemaIn(documentOf(simple), 'com.example.v1.Widget');
    expect(widget).toEqual({
      type: 'object',
      description: 'A thing.',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string', description: expect.any(String) },
        kind: { type: 'string', description: expect.any(String) },
        metadata: { description: expect.any(String), allOf: [{ $ref: metadata }] },
        spec: { type: 'object', properties: { color: { type: 'string', default: 'blue', nullable: true } } },
      },
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Widget' }],
    });
  });

  test('has a list beside it', () => {
    expect(schemaIn(documentOf(simple), 'com.example.v1.WidgetList')).toEqual({
      type: 'object',
      description: 'WidgetList is a list of Widget',
      required: ['items'],
      properties: {
        apiVersion: expect.objectContaining({ type: 'string' }),
        kind: expect.objectContaining({ type: 'string' }),
        metadata: {
          description: expect.any(String),
          allOf: [{ $ref: `${schemas}io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta` }],
        },
        items: {
          description: 'List of widgets.',
          type: 'array',
          items: { $ref: `${schemas}com.example.v1.Widget` },
        },
      },
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'WidgetList' }],
    });
  });

  test('lists the selectable fields, on the list too', () => {
    const document = documentOf(simple, {
      selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }],
    });
    for (const name of ['com.example.v1.Widget', 'com.example.v1.WidgetList']) {
      expect(schemaIn(document, name)['x-kubernetes-selectable-fields']).toEqual([
        { fieldPath: 'spec.color' },
        { fieldPath: 'spec.size' },
      ]);
    }
    expect(schemaIn(documentOf(simple), 'com.example.v1.Widget')).not.toHaveProperty(
      'x-kubernetes-selectable-fields',
    );
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      'int-or-string is written out',
      { 'x-kubernetes-int-or-string': true },
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    ],
    [
      'int-or-string stays as its author wrote it out',
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '9' },
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '9' },
    ],
    [
      'other alternatives of int-or-string stand beside it',
      { 'x-kubernetes-int-or-string': true, anyOf: [{ minimum: 1 }, { pattern: 'x' }] },
      {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ minimum: 1 }, { pattern: 'x' }],
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }],
      },
    ],
    [
      'names and rules stay',
      {
        type: 'object',
        additionalProperties: { type: 'string' },
        'x-kubernetes-property-names': { type: 'string', maxLength: 3 },
        'x-kubernetes-validations': [{ rule: 'true' }],
      },
      {
        type: 'object',
        additionalProperties: { type: 'string' },
        'x-kubernetes-property-names': { type: 'string', maxLength: 3 },
        'x-kubernetes-validations': [{ rule: 'true' }],
      },
    ],
    [
      'an embedded object has what every object has',
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        required: ['kind', 'apiVersion'],
        properties: {
          apiVersion: expect.anything(),
          kind: expect.anything(),
          metadata: { description: expect.any(String), allOf: [{ $ref: metadata }] },
        },
      },
    ],
  ])('%s', (_, given, published) => {
    const list = { type: 'array', items: { type: 'object', additionalProperties: given } };
    const document = documentOf({ type: 'object', properties: { spec: list } });
    const widget = schemaIn(document, 'com.example.v1.Widget');
    expect(at(widget, 'properties', 'spec', 'items', 'additionalProperties')).toEqual(published);
  });

  test('has no properties if the CRD has no schema', () => {
    const type = typeOf({
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'widgets', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true }],
    });
    expect(schemaIn(openApiV3Document([type], 'v1'), 'com.example.v1.Widget')).toEqual({
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Widget' }],
    });
  });

  test('supports field names that JavaScript objects inherit', () => {
    const properties = JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "integer"}}');
    const document = documentOf({ type: 'object', properties: { spec: { type: 'object', properties } } });
    const spec = at(
      schemaIn(document, 'com.example.v1.Widget'),
      'properties',
      'spec',
      'properties',
    ) as JsonObject;
    expect(Object.keys(spec)).toEqual(['__proto__', 'constructor']);
    expect(own(spec, '__proto__')).toEqual({ type: 'string' });
  });

  test('cannot replace a built-in model', () => {
    const type = typeOf({
      group: 'meta.apis.pkg.apimachinery.k8s.io',
      scope: 'Cluster',
      names: { plural: 'objectmetas', kind: 'ObjectMeta', listKind: 'ObjectMetaList' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    });
    const document = openApiV3Document([type], 'v1');
    const model = schemaIn(document, 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
    expect(at(model, 'properties', 'ownerReferences', 'type')).toBe('array');
  });
});

describe('the operations on a kind', () => {
  const subresources = {
    status: {},
    scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' },
  };
  const document = documentOf(simple, { subresources });

  test('have Kubernetes names', () => {
    const ids = operationsIn(document).map(([name, { operationId }]) => `${name}: ${operationId}`);
    const items = '/apis/example.com/v1/namespaces/{namespace}/widgets';
    expect(ids).toEqual([
      'get /apis/example.com/v1/widgets: listExampleComV1WidgetForAllNamespaces',
      `get ${items}: listExampleComV1NamespacedWidget`,
      `post ${items}: createExampleComV1NamespacedWidget`,
      `delete ${items}: deleteExampleComV1CollectionNamespacedWidget`,
      `get ${items}/{name}: readExampleComV1NamespacedWidget`,
      `put ${items}/{name}: replaceExampleComV1NamespacedWidget`,
      `patch ${items}/{name}: patchExampleComV1NamespacedWidget`,
      `delete ${items}/{name}: deleteExampleComV1NamespacedWidget`,
      `get ${items}/{name}/status: readExampleComV1NamespacedWidgetStatus`,
      `put ${items}/{name}/status: replaceExampleComV1NamespacedWidgetStatus`,
      `patch ${items}/{name}/status: patchExampleComV1NamespacedWidgetStatus`,
      `get ${items}/{name}/scale: readExampleComV1NamespacedWidgetScale`,
      `put ${items}/{name}/scale: replaceExampleComV1NamespacedWidgetScale`,
      `patch ${items}/{name}/scale: patchExampleComV1NamespacedWidgetScale`,
    ]);
  });

  test('describe their parameters, bodies and responses', () => {
    const item = at(document, 'paths', '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}');
    expect((at(item, 'parameters') as JsonObject[]).map(({ name }) => name)).toEqual([
      'name',
      'namespace',
      'pretty',
    ]);
    const answer = { schema: { $ref: `${schemas}com.example.v1.Widget` } };
    const patch = { schema: { $ref: `${schemas}io.k8s.apimachinery.pkg.apis.meta.v1.Patch` } };
    expect(at(item, 'patch')).toEqual({
      tags: ['exampleCom_v1'],
      description: 'partially update the specified Widget',
      operationId: 'patchExampleComV1NamespacedWidget',
      parameters: ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
        name,
        in: 'query',
        description: expect.any(String),
        schema: { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true },
      })),
      requestBody: {
        required: true,
        content: {
          'application/json-patch+json': patch,
          'application/merge-patch+json': patch,
          'application/apply-patch+yaml': patch,
        },
      },
      responses: {
        200: { description: 'OK', content: { 'application/json': answer, 'application/yaml': answer } },
        401: { description: 'Unauthorized' },
      },
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'example.com', version: 'v1', kind: 'Widget' },
    });
  });

  test.each([
    ['Widget', 'create a Widget'],
    ['Apple', 'create an Apple'],
    ['Class', 'create a Class'],
    ['PodStatus', 'create PodStatus'],
  ])('say it in English: %s', (kind, description) => {
    const type = typeOf({
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'things', kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: simple } }],
    });
    const { paths } = openApiV3Document([type], 'v1');
    expect(at(paths, '/apis/example.com/v1/things', 'post', 'description')).toBe(description);
  });

  test('have no namespace if the kind is cluster-scoped', () => {
    const type = typeOf({
      group: 'storage.k8s.io',
      scope: 'Cluster',
      names: { plural: 'apples', kind: 'Apple', listKind: 'AppleList' },
      versions: [{ name: 'v1alpha1', served: true, storage: true, schema: { openAPIV3Schema: simple } }],
    });
    const operations = operationsIn(openApiV3Document([type], 'v1alpha1'));
    expect(
      operations.map(([name, operation]) => [name, operation['operationId'], operation['description']]),
    ).toEqual([
      ['get /apis/storage.k8s.io/v1alpha1/apples', 'listStorageV1alpha1Apple', 'list objects of kind Apple'],
      ['post /apis/storage.k8s.io/v1alpha1/apples', 'createStorageV1alpha1Apple', 'create an Apple'],
      [
        'delete /apis/storage.k8s.io/v1alpha1/apples',
        'deleteStorageV1alpha1CollectionApple',
        'delete collection of Apple',
      ],
      [
        'get /apis/storage.k8s.io/v1alpha1/apples/{name}',
        'readStorageV1alpha1Apple',
        'read the specified Apple',
      ],
      [
        'put /apis/storage.k8s.io/v1alpha1/apples/{name}',
        'replaceStorageV1alpha1Apple',
        'replace the specified Apple',
      ],
      [
        'patch /apis/storage.k8s.io/v1alpha1/apples/{name}',
        'patchStorageV1alpha1Apple',
        'partially update the specified Apple',
      ],
      ['delete /apis/storage.k8s.io/v1alpha1/apples/{name}', 'deleteStorageV1alpha1Apple', 'delete an Apple'],
    ]);
  });

  test('all have responses, and all references resolve', () => {
    expect(brokenOperations(document)).toEqual([]);
    expect(danglingReferences(document)).toEqual([]);
  });
});

test('omits versions that are not served', () => {
  const type = widgetType(simple, { served: false });
  expect(openApiV3Document([type], 'v1')['paths']).toEqual({});
});

test('describes non-resource endpoints', () => {
  const documents = [...serverDocuments()];
  expect(documents.map(([name, { paths }]) => [name, Object.keys(paths as JsonObject)])).toEqual([
    ['api', ['/api/']],
    ['apis', ['/apis/']],
    ['version', ['/version/']],
  ]);
  for (const [, document] of documents) {
    expect(brokenOperations(document)).toEqual([]);
    expect(danglingReferences(document)).toEqual([]);
  }
});
