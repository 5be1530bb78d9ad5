import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { crdModules } from './crd-module.ts';

const crdOf = (properties: JsonObject, version: JsonObject = {}) => ({
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      { name: 'v1', storage: true, schema: { openAPIV3Schema: { type: 'object', properties } }, ...version },
    ],
  },
});

/** The module without its head and the imports. */
function typesOf(properties: JsonObject, version: JsonObject = {}): string {
  const [module] = crdModules(crdOf(properties, version), { standalone: false });
  return (module?.text ?? '').split("from '@kubernetes/client-node';\n\n")[1] ?? '';
}

/** The type of one field of `.spec`. */
function typeOf(schema: JsonObject): string {
  const text = typesOf({ spec: { type: 'object', properties: { field: schema } } });
  return /^ {2}field\?: (.*);$/m.exec(text)?.[1] ?? text;
}

test('a module has the object, what is in it, and its list', () => {
  const text = typesOf({
    spec: {
      type: 'object',
      description: 'What is wanted.\nMore of it. */',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, default: 3 },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: { type: 'string' }, 'x-y': { type: 'boolean' } } },
        },
      },
    },
  });
  expect(text).toBe(`export interface Widget {
  apiVersion: "example.com/v1";
  kind: "Widget";
  metadata: V1ObjectMeta;
  /**
   * What is wanted.
   * More of it. *\\/
   */
  spec?: WidgetSpec;
}

/**
 * What is wanted.
 * More of it. *\\/
 */
export interface WidgetSpec {
  /**
   * @default 3
   * @minimum 1
   */
  size: number;
  /** @listType map, by name */
  ports?: WidgetSpecPorts[];
}

export interface WidgetSpecPorts {
  name?: string;
  "x-y"?: boolean;
}

export interface WidgetList {
  apiVersion: "example.com/v1";
  kind: "WidgetList";
  metadata: V1ListMeta;
  items: Widget[];
}
`);
});

test.each<[JsonObject, string]>([
  [{ type: 'string', nullable: true }, 'string | null'],
  [{ type: 'number' }, 'number'],
  [{ 'x-kubernetes-int-or-string': true }, 'number | string'],
  [{ type: 'string', enum: ['a"b', 'c'] }, '"a\\"b" | "c"'],
  [{ type: 'integer', enum: [1, 2], nullable: true }, '1 | 2 | null'],
  [{ type: 'array', items: { type: 'string', nullable: true } }, '(string | null)[]'],
  [{ type: 'array', items: { type: 'array', items: { type: 'integer' } } }, 'number[][]'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, '{ [key: string]: string }'],
  [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, '{ [key: string]: unknown }'],
  [{ type: 'object' }, 'Record<string, never>'],
  [{ 'x-kubernetes-preserve-unknown-fields': true, nullable: true }, 'unknown'],
])('%j is %s', (schema, type) => expect(typeOf(schema)).toBe(type));

test('fields that are kept unknown, embedded objects, and a name that two fields would have', () => {
  const inner = { type: 'object', properties: { a: { type: 'string' } } };
  const text = typesOf({
    list: inner,
    'a-b': inner,
    aB: { ...inner, 'x-kubernetes-preserve-unknown-fields': true },
    object: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
  });
  expect(text).toContain('list?: WidgetList2;');
  expect(text).toContain('"a-b"?: WidgetAB;\n  aB?: WidgetAB2;');
  expect(text).toContain('export interface WidgetAB2 {\n  a?: string;\n  [key: string]: unknown;\n}');
  expect(text).toContain(
    'export interface WidgetObject {\n  apiVersion: string;\n  kind: string;\n  metadata?: V1ObjectMeta;\n  [key: string]: unknown;\n}',
  );
});

test('a deprecated version says so; one that is not served has no types', () => {
  expect(typesOf({}, { deprecated: true })).toContain(
    '/** @deprecated example.com/v1 Widget is deprecated */',
  );
  expect(crdModules(crdOf({}, { served: false }), { standalone: true })).toEqual([]);
});
