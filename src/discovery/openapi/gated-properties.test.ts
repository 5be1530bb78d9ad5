import { describe, expect, test } from 'vitest';
import { type JsonObject, type JsonValue, ownObject } from '../../meta/index.ts';
import { at, typeOf } from './documents.test-data.ts';
import { swaggerDefinitions } from './v2-document.ts';
import { openApiV3Document } from './v3-document.ts';

const key = 'x-kubernetes-feature-gate';
const integer = { type: 'integer' };
const spec = {
  type: 'object',
  properties: {
    size: integer,
    color: { type: 'string', nullable: true },
    box: { type: 'object', properties: { lid: integer } },
    list: { type: 'array', items: { type: 'object', properties: { a: integer } } },
    open: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: integer },
    },
    map: { type: 'object', additionalProperties: integer },
    shed: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { a: integer } },
  },
};
const gates = [
  { name: 'Sizes', preRelease: 'stable', fieldPaths: ['.spec.size'] },
  { name: 'Boxes', preRelease: 'alpha', fieldPaths: ['.spec.box', '.spec.color'] },
  { name: 'Lids', preRelease: 'beta', enabled: true, fieldPaths: ['.spec.box.lid'] },
  {
    name: 'More',
    preRelease: 'beta',
    fieldPaths: ['.spec.list.a', '.spec.open.a', '.spec.map.a', '.spec.shed.a', '.no'],
  },
];

/** Both documents of a kind with these gates, for one version. */
function documents(customFeatureGates: JsonObject, version: string) {
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  const type = typeOf({
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } },
      { name: 'v1beta1', served: true, storage: false, schema: { openAPIV3Schema } },
    ],
    customFeatureGates,
  });
  const model = `com.example.${version}.Widget`;
  return {
    v3: at(openApiV3Document([type], version), 'components', 'schemas', model),
    v2: at(swaggerDefinitions(type), model),
  };
}

/** The gates in a document, by path. */
function shown(document: JsonValue | undefined): Record<string, JsonValue> {
  const found: Record<string, JsonValue> = {};
  const visit = (node: JsonObject, path: string) => {
    const gate = node[key];
    if (gate !== undefined) found[path] = gate;
    for (const name of Object.keys(ownObject(node, 'properties') ?? {})) {
      visit((node['properties'] as JsonObject)[name] as JsonObject, `${path}.${name}`);
    }
  };
  visit(document as JsonObject, '');
  return found;
}

describe.each(['v1', 'v1beta1'])('in %s', (version) => {
  test('every gated property has its gate, with the effective state', () => {
    const { v2, v3 } = documents({ component: 'workshop', featureGates: gates }, version);
    const component = 'workshop';
    const boxes = { name: 'Boxes', preRelease: 'alpha', enabled: false, component };
    const more = { name: 'More', preRelease: 'beta', enabled: true, component };
    const inV2 = {
      '.spec.size': { name: 'Sizes', preRelease: 'stable', enabled: true, component },
      '.spec.box': boxes,
      '.spec.color': boxes,
      '.spec.box.lid': { name: 'Lids', preRelease: 'beta', enabled: false, component },
      '.spec.shed.a': more,
    };
    expect(shown(v2)).toEqual(inV2);
    expect(shown(v3)).toEqual({ ...inV2, '.spec.open.a': more });
  });
});

test('omits a missing component, and the gates of a kind without any', () => {
  const [sizes] = gates;
  expect(shown(documents({ featureGates: [sizes ?? {}] }, 'v1').v3)).toEqual({
    '.spec.size': { name: 'Sizes', preRelease: 'stable', enabled: true },
  });
  expect(JSON.stringify(documents({ featureGates: [] }, 'v1'))).not.toContain(key);
});
