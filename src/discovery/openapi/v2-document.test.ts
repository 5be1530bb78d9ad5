import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { at, brokenOperations, danglingReferences, typeOf, widgetType } from './documents.test-data.ts';
import { metaModels } from './models/meta-v1.ts';
import { swaggerParameters } from './shared-parameters.ts';
import {
  serverPart,
  swaggerDefinitions,
  swaggerHead,
  swaggerPaths,
  swaggerPathsText,
} from './v2-document.ts';

const widget = 'com.example.v1.Widget';

function definitionOf(openAPIV3Schema: JsonObject, more: JsonObject = {}): JsonObject {
  return swaggerDefinitions(widgetType(openAPIV3Schema, more))[widget] as JsonObject; // nothing there fails
}

describe('the schema of a kind in Swagger 2.0', () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      'alternatives, defaults and null are left out',
      { type: 'string', default: 'a', pattern: 'a', allOf: [{}], anyOf: [{}], oneOf: [{}], not: {} },
      { type: 'string', pattern: 'a' },
    ],
    [
      'what may be null has no type',
      { type: 'object', nullable: true, properties: { a: { type: 'string' } }, description: 'x' },
      { description: 'x' },
    ],
    [
      'a list that may be null has no items',
      { type: 'array', nullable: true, items: { type: 'string' } },
      {},
    ],
    [
      'what may be null is not required',
      {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } },
      },
      { type: 'object', required: ['b'], properties: { a: {}, b: { type: 'string' } } },
    ],
    [
      'what has unknown fields has no type',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
      { 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'int-or-string has no type',
      { 'x-kubernetes-int-or-string': true },
      { 'x-kubernetes-int-or-string': true },
    ],
    [
      'what the keys of a map must be stands as it is',
      {
        type: 'object',
        additionalProperties: {},
        'x-kubernetes-property-names': { type: 'string', maxLength: 3 },
      },
      {
        type: 'object',
        additionalProperties: {},
        'x-kubernetes-property-names': { type: 'string', maxLength: 3 },
      },
    ],
    [
      'an embedded object has what every object has',
      { type: 'object', 'x-kubernetes-embedded-resource': true, properties: {} },
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        required: ['kind', 'apiVersion'],
        properties: {
          apiVersion: expect.anything(),
          kind: expect.anything(),
          metadata: {
            description: expect.any(String),
            $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
          },
        },
      },
    ],
    [
      'but none of it where it has unknown fields',
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ],
  ])('%s', (_, given, published) => {
    const definition = definitionOf({ type: 'object', properties: { spec: given } });
    expect(at(definition, 'properties', 'spec')).toEqual(published);
  });

  test('is an object without properties if it preserves unknown fields at the root', () => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: {} } };
    expect(definitionOf(open, { selectableFields: [{ jsonPath: '.a' }] })).toEqual({
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Widget' }],
      'x-kubernetes-selectable-fields': [{ fieldPath: 'a' }],
    });
  });
});

/** The entries of a document, with hashes replaced. */
const unhashed = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/-[\w-]{8}"/g, '-<hash>"'));

test('operations reference shared parameters; dryRun and fieldValidation are inline for kubectl', () => {
  const paths = swaggerPaths(widgetType({ type: 'object' }));
  const post = at(paths, '/apis/example.com/v1/namespaces/{namespace}/widgets', 'post');
  expect(unhashed(post)).toEqual({
    description: 'create a Widget',
    consumes: ['application/json', 'application/yaml'],
    produces: ['application/json', 'application/yaml'],
    schemes: ['https'],
    tags: ['exampleCom_v1'],
    operationId: 'createExampleComV1NamespacedWidget',
    parameters: [
      { name: 'body', in: 'body', required: true, schema: { $ref: `#/definitions/${widget}` } },
      expect.objectContaining({ name: 'dryRun', in: 'query' }),
      { $ref: '#/parameters/fieldManager-<hash>' },
      expect.objectContaining({ name: 'fieldValidation', in: 'query' }),
    ],
    responses: {
      200: { description: 'OK', schema: { $ref: `#/definitions/${widget}` } },
      201: { description: 'Created', schema: { $ref: `#/definitions/${widget}` } },
      202: { description: 'Accepted', schema: { $ref: `#/definitions/${widget}` } },
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': 'post',
    'x-kubernetes-group-version-kind': { group: 'example.com', version: 'v1', kind: 'Widget' },
  });
});

test('path parameters and generic bodies are referenced by name', () => {
  const paths = swaggerPaths(widgetType({ type: 'object' }));
  const item = '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}';
  expect(unhashed(at(paths, item, 'parameters'))).toEqual([
    expect.objectContaining({ name: 'name', in: 'path' }),
    { $ref: '#/parameters/namespace-<hash>' },
    { $ref: '#/parameters/pretty-<hash>' },
  ]);
  expect(unhashed(at(paths, item, 'delete', 'parameters'))).toContainEqual({
    $ref: '#/parameters/body-<hash>',
  });
  expect(
    at(serverPart().definitions, metaModels.deleteOptions, 'x-kubernetes-group-version-kind'),
  ).toHaveLength(62);
});

test('all references resolve, and all keywords are Swagger 2.0', () => {
  const own = widgetType({ type: 'object', properties: { spec: { type: 'object' } } });
  const server = serverPart();
  const document: JsonObject = {
    ...swaggerHead,
    paths: { ...server.paths, ...swaggerPaths(own) },
    definitions: { ...server.definitions, ...swaggerDefinitions(own) },
    parameters: swaggerParameters(),
  };
  expect(danglingReferences(document)).toEqual([]);
  expect(brokenOperations(document)).toEqual([]);
  const props = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
  const { [props]: jsonSchemaProps, ...others } = server.definitions;
  expect(/"(allOf|anyOf|oneOf|not|nullable)":/.exec(JSON.stringify(others))).toBeNull();
  expect(at(jsonSchemaProps, 'properties', 'not', '$ref')).toBe(`#/definitions/${props}`);
});

describe('the text of the paths is their JSON', () => {
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object' } },
  };
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const spec = { group: 'example.com', scope: 'Namespaced', names, versions: [version] };
  const old = { ...version, name: 'v1beta1', storage: false };

  test.each<[string, JsonObject]>([
    ['of a namespaced resource', spec],
    ['of a resource of the whole cluster', { ...spec, scope: 'Cluster' }],
    ['with status and scale', { ...spec, versions: [{ ...version, subresources: { status: {}, scale } }] }],
    ['of two versions', { ...spec, versions: [version, old] }],
    ['without a version that is not served', { ...spec, versions: [version, { ...old, served: false }] }],
    ['of an Apple', { ...spec, names: { ...names, kind: 'Apple' } }],
    [
      'of names with quotes, marks and __proto__',
      { ...spec, names: { ...names, kind: '"\\\ue0003\ue000__proto__' } },
    ],
    ['of another group', { ...spec, group: 'a-b.more_1.k8s.io' }],
  ])('%s', (_, given) => {
    expect(`{${swaggerPathsText(typeOf(given))}}`).toBe(JSON.stringify(swaggerPaths(typeOf(given))));
  });
});
