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

/** The module without its header and imports. */
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
  [
    {
      type: 'object',
      additionalProperties: { type: 'integer' },
      'x-kubernetes-property-names': { type: 'string', enum: ['cpu', 'a"b'] },
    },
    'Partial<Record<"cpu" | "a\\"b", number>>',
  ],
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

test('an integer of more than 53 bits, which no literal can say, is a number', () => {
  expect(typeOf({ type: 'integer', enum: [9007199254740993n, 1] })).toBe('number | 1');
});

test('fields that are deprecated or behind a feature gate say so', () => {
  const properties = {
    spec: {
      type: 'object',
      properties: {
        old: { type: 'string', description: 'A size.\n\nDeprecated: use size.' },
        pools: {
          type: 'array',
          items: { type: 'object', properties: { spare: { type: 'integer', default: 1 } } },
        },
        replicas: { type: 'integer' },
        tone: {
          type: 'string',
          enum: ['red', 'pink', 'plum'],
          'x-kubernetes-enum-feature-gates': [{ featureGate: 'Spare', values: ['pink', 'plum'] }],
        },
        window: { type: 'string' },
      },
    },
  };
  const crd = crdOf(properties);
  const gate = (name: string, preRelease: string, path: string, more = {}) => ({
    name,
    preRelease,
    fieldPaths: [path],
    ...more,
  });
  const featureGates = [
    gate('Spare', 'alpha', '.spec.pools[*].spare'),
    gate('Replicas', 'beta', '.spec.replicas', { default: false }),
    gate('Window', 'deprecated', '.spec.window', { default: true, fieldDeprecationWarning: 'no windows */' }),
  ];
  const gated = { spec: { ...crd.spec, customFeatureGates: { featureGates } } };
  const [module] = crdModules(gated, { standalone: true });
  expect(module?.text).toContain(`export interface WidgetSpec {
  /**
   * A size.
   *
   * Deprecated: use size.
   * @deprecated use size.
   */
  old?: string;
  pools?: WidgetSpecPools[];
  /** @beta feature gate Replicas, off by default */
  replicas?: number;
  /** @alpha "pink", "plum": feature gate Spare, off by default */
  tone?: "red" | "pink" | "plum";
  /** @deprecated no windows *\\/ */
  window?: string;
}

export interface WidgetSpecPools {
  /**
   * @default 1
   * @alpha feature gate Spare, off by default
   */
  spare?: number;
}
`);
});

test.each([
  ['my-kind', 'MyKind', 'my-kindList'],
  ['Record', 'RecordKind', 'RecordList'],
])('the type of kind %s is %s: always an identifier that means nothing else', (kind, type, listKind) => {
  const crd = crdOf({});
  const [module] = crdModules(
    { spec: { ...crd.spec, names: { plural: 'widgets', kind } } },
    { standalone: true },
  );
  expect(module?.text).toContain(
    `export interface ${type} {\n  apiVersion: "example.com/v1";\n  kind: "${kind}"`,
  );
  expect(module?.text).toContain(`export interface ${type}List {`);
  expect(module?.text).toContain(`kind: "${listKind}"`);
});

const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

test.each([
  [
    { names: { plural: '../../../escaped', kind: 'Widget' } },
    `spec.names.plural: Invalid value: "../../../escaped": ${label}`,
  ],
  [
    { versions: [{ name: 'v1\nconsole.log(1);//', storage: true }] },
    `spec.versions[0].name: Invalid value: "v1\\nconsole.log(1);//": ${label}`,
  ],
  [
    { names: { plural: 'widgets', kind: 'W {} console.log(1); interface X' } },
    `spec.names.kind: Invalid value: "W {} console.log(1); interface X": may have mixed case, but should otherwise match: ${label}`,
  ],
  [
    { names: { plural: 'widgets', kind: 'Widget', listKind: 'a"b' } },
    `spec.names.listKind: Invalid value: "a\\"b": may have mixed case, but should otherwise match: ${label}`,
  ],
  [{ group: '' }, 'spec.group: Required value'],
  [{ group: 'a/b.c' }, /^spec.group: Invalid value: "a\/b.c": a lowercase RFC 1123 subdomain/],
])('names that the server refuses get no module: %j', (wrong, message) => {
  const crd = { spec: { ...crdOf({}).spec, ...wrong } };
  expect(() => crdModules(crd, { standalone: true })).toThrow(message);
});
