import { describe, expect, test } from 'vitest';
import { fieldErrorText, type JsonObject } from '../../meta/index.ts';
import { fooCrd, gates, versionNamed } from '../example.test-data.ts';
import { prepareCrdForCreate } from '../prepare.ts';
import { validateCrd } from './validate-crd.ts';

const base = 'spec.customFeatureGates.featureGates';

function verdict(featureGates: JsonObject[], schema?: JsonObject) {
  const version = versionNamed('v1', {
    storage: true,
    ...(schema === undefined ? {} : { schema: { openAPIV3Schema: schema } }),
  });
  const crd = fooCrd({ customFeatureGates: { featureGates }, versions: [version] });
  prepareCrdForCreate(crd, gates);
  const { errors, warnings } = validateCrd(crd, undefined, { gates });
  return { errors: errors.map(fieldErrorText), warnings };
}

const gate = (change: JsonObject): JsonObject => ({
  name: 'Colors',
  preRelease: 'alpha',
  fieldPaths: ['.spec.color'],
  ...change,
});

const supported = 'supported values: "alpha", "beta", "stable", "deprecated"';
const deprecated = { preRelease: 'deprecated', default: false };

const table: readonly [string, JsonObject, readonly string[]][] = [
  ['alpha', {}, []],
  ['a name is needed', { name: '' }, ['[0].name: Required value']],
  ['a stage is needed', { preRelease: '' }, ['[0].preRelease: Required value']],
  ['one of four', { preRelease: 'gamma' }, [`[0].preRelease: Unsupported value: "gamma": ${supported}`]],
  ['alpha, default false', { default: false }, []],
  [
    'alpha, default true',
    { default: true },
    ['[0].default: Invalid value: true: must be false when preRelease is alpha'],
  ],
  ['beta, no default', { preRelease: 'beta' }, []],
  [
    'beta, default true',
    { preRelease: 'beta', default: true },
    ['[0].default: Invalid value: true: must be false when preRelease is beta'],
  ],
  ['stable, default true', { preRelease: 'stable', default: true }, []],
  [
    'stable, default false',
    { preRelease: 'stable', default: false },
    ['[0].default: Invalid value: false: must be true when preRelease is stable'],
  ],
  ['deprecated, default false', deprecated, []],
  ['deprecated, default true', { preRelease: 'deprecated', default: true }, []],
  [
    'deprecated, no default',
    { preRelease: 'deprecated' },
    ['[0].default: Required value: must be specified when preRelease is deprecated'],
  ],
  ['a warning', { ...deprecated, fieldDeprecationWarning: 'no more' }, []],
  [
    'a warning too early',
    { fieldDeprecationWarning: 'no more' },
    ['[0].fieldDeprecationWarning: Invalid value: "no more": can only be set when preRelease is deprecated'],
  ],
  [
    'a warning of nothing',
    { ...deprecated, fieldDeprecationWarning: '' },
    ['[0].fieldDeprecationWarning: Invalid value: "": must not be an empty string'],
  ],
  [
    'a warning of two lines',
    { ...deprecated, fieldDeprecationWarning: 'a\nb' },
    [
      '[0].fieldDeprecationWarning: Invalid value: "a\\nb": must only contain printable UTF-8 characters; non-printable character found at index 1',
    ],
  ],
  ['no path', { fieldPaths: [] }, ['[0].fieldPaths: Required value: must have at least one path']],
  ['an empty path', { fieldPaths: [''] }, ['[0].fieldPaths[0]: Required value']],
  [
    'no leading dot',
    { fieldPaths: ['spec.color'] },
    ['[0].fieldPaths[0]: Invalid value: "spec.color": must be a simple json path starting with .'],
  ],
  ...['.', '.spec..color', '.spec.', '.spec[0]', ".spec['color']", '.spec.*'].map(
    (path): [string, JsonObject, readonly string[]] => [
      `not in the dot notation: ${path}`,
      { fieldPaths: [path] },
      [`[0].fieldPaths[0]: Invalid value: "${path}": must be a json path in the dot notation`],
    ],
  ),
  ...['.metadata', '.metadata.labels', '.kind', '.apiVersion'].map(
    (path): [string, JsonObject, readonly string[]] => [
      `not for gates: ${path}`,
      { fieldPaths: [path] },
      [`[0].fieldPaths[0]: Invalid value: "${path}": must not point to apiVersion, kind or metadata`],
    ],
  ),
];

describe('one gate', () => {
  test.each(table)('%s', (_, change, errors) => {
    expect(verdict([gate(change)]).errors).toEqual(errors.map((text) => base + text));
  });
});

test('no two gates have one name, or guard one field', () => {
  expect(
    verdict([gate({}), gate({ fieldPaths: ['.spec.replicas', '.spec.replicas', '.spec.color'] })]).errors,
  ).toEqual([
    `${base}[1].name: Duplicate value: "Colors"`,
    `${base}[1].fieldPaths[1]: Duplicate value: ".spec.replicas"`,
    `${base}[1].fieldPaths[2]: Duplicate value: ".spec.color"`,
  ]);
});

test('a gate may stand above another', () => {
  expect(verdict([gate({ fieldPaths: ['.spec'] }), gate({ name: 'Inner' })])).toEqual({
    errors: [],
    warnings: [],
  });
});

describe('a gate that does not do what one would think draws a warning', () => {
  test('a path that the schema does not have', () => {
    expect(verdict([gate({ fieldPaths: ['.spec.color', '.spec.colour'] })])).toEqual({
      errors: [],
      warnings: [
        `${base}[0].fieldPaths[1]: ".spec.colour" is not a field of the storage version v1: the gate has no effect`,
      ],
    });
  });

  test('not where unknown fields are kept', () => {
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    };
    expect(verdict([gate({})], schema).warnings).toEqual([]);
  });

  test('a required field', () => {
    const schema = {
      type: 'object',
      properties: {
        spec: { type: 'object', required: ['color'], properties: { color: { type: 'string' } } },
      },
    };
    expect(verdict([gate({})], schema)).toEqual({
      errors: [],
      warnings: [
        `${base}[0].fieldPaths[0]: ".spec.color" is a required field: no object can be created while the gate is disabled`,
      ],
    });
    expect(verdict([gate({ preRelease: 'stable' })], schema).warnings).toEqual([]);
  });
});
