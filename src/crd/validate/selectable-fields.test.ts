import { describe, expect, test } from 'vitest';
import {
  defaultSelectorOptions,
  fieldErrorText,
  type JsonObject,
  type SelectorOptions,
} from '../../meta/index.ts';
import { fooCrd, gates, versionNamed } from '../example.test-data.ts';
import { prepareCrdForCreate } from '../prepare.ts';
import { validateCrd } from './validate-crd.ts';

// Other cases of selectable fields are in go-cases.json; these are refused upstream because of a bug.

function errors(...versions: JsonObject[]): string[] {
  const crd = fooCrd({ versions });
  prepareCrdForCreate(crd, gates);
  return validateCrd(crd, undefined, { gates }).errors.map(fieldErrorText);
}

const color: JsonObject = { selectableFields: [{ jsonPath: '.spec.color' }] };
const withSchema = (properties: JsonObject): JsonObject => ({
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
});

test('versions with one schema may differ in their selectable fields', () => {
  expect(errors(versionNamed('v1', { storage: true, ...color }), versionNamed('v2'))).toEqual([]);
});

test('a mistake in one of them is found in the shared schema', () => {
  const wrong = { selectableFields: [{ jsonPath: '.spec.size' }] };
  expect(errors(versionNamed('v1', { storage: true, ...wrong }), versionNamed('v2'))).toEqual([
    'spec.versions[0].selectableFields[0].jsonPath: Invalid value: ".spec.size": is an invalid path: does not refer to a valid field',
  ]);
});

test('versions that differ in their schemas may share their selectable fields', () => {
  const other = withSchema({ color: { type: 'string' }, more: { type: 'string' } });
  expect(
    errors(versionNamed('v1', { storage: true, ...color }), versionNamed('v2', { ...color, ...other })),
  ).toEqual([]);
});

test('which must then lead somewhere in each of them', () => {
  const other = withSchema({ color: { type: 'number' } });
  expect(
    errors(versionNamed('v1', { storage: true, ...color }), versionNamed('v2', { ...color, ...other })),
  ).toEqual([
    'spec.selectableFields[0].jsonPath: Invalid value: ".spec.color": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
  ]);
});

test('a path of many quotes and backslashes is read in time that grows with its length', () => {
  const path = `.'${"\\'\\\\".repeat(20_000)}`;
  const hostile = { selectableFields: [{ jsonPath: path }] };
  expect(errors(versionNamed('v1', { storage: true, ...hostile }))).toHaveLength(1);
});

const listed = withSchema({
  ports: {
    type: 'array',
    items: {
      type: 'object',
      properties: { name: { type: 'string' }, hosts: { type: 'array', items: { type: 'string' } } },
    },
  },
  color: { type: 'string' },
});

/** The errors of a CRD with these selectable fields, under these rules. */
function errorsOf(
  paths: readonly string[],
  selectors: Partial<SelectorOptions> = {},
  old?: readonly string[],
): string[] {
  const crdOf = (jsonPaths: readonly string[]) => {
    const selectableFields = jsonPaths.map((jsonPath) => ({ jsonPath }));
    const crd = fooCrd({ versions: [versionNamed('v1', { storage: true, ...listed, selectableFields })] });
    prepareCrdForCreate(crd, gates);
    Object(crd['metadata'])['resourceVersion'] = '1';
    return crd;
  };
  const options = { gates, selectors: { ...defaultSelectorOptions, ...selectors } };
  return validateCrd(crdOf(paths), old && crdOf(old), options).errors.map(fieldErrorText);
}

describe('paths through lists, an extension', () => {
  test('lead to what each element has', () => {
    expect(errorsOf(['.spec.ports[*].name', '.spec.ports[*].hosts[*]', '.spec.color'])).toEqual([]);
  });

  test.each([
    ['.spec.ports[*]', 'must point to a field of type string, boolean or integer.'],
    ['.spec.ports[*].port', 'is an invalid path: does not refer to a valid field'],
    ['.spec.color[*]', 'is an invalid path: does not refer to a valid field'],
    ['.spec.ports[0].name', 'is an invalid path: array notation is not allowed'],
    ['.spec.ports[*', 'is an invalid path: array notation is not allowed'],
    ['[*].spec', 'is an invalid path: array notation is not allowed'],
    ['.spec.ports.name', 'is an invalid path: does not refer to a valid field'],
  ])('%s is none', (path, text) => {
    expect(errorsOf([path])).toEqual([expect.stringContaining(text)]);
  });

  test('the same one twice', () => {
    expect(errorsOf(['.spec.ports[*].name', '.spec.ports[*].name'])).toEqual([
      'spec.selectableFields[1].jsonPath: Duplicate value: ".spec.ports[*].name"',
    ]);
  });

  test('off, they are refused as Kubernetes refuses them, but those that are stored may stay', () => {
    const off = { selectableArrayPaths: false };
    const refused =
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.ports[*].name": is an invalid path: array notation is not allowed';
    expect(errorsOf(['.spec.ports[*].name'], off)).toEqual([refused]);
    expect(errorsOf(['.spec.ports[*].name'], off, ['.spec.ports[*].name'])).toEqual([]);
    expect(errorsOf(['.spec.ports[*].name', '.spec.color'], off, ['.spec.ports[*].name'])).toEqual([refused]);
  });
});

describe('how many there may be', () => {
  const three = ['.spec.color', '.spec.ports[*].name', '.spec.ports[*].hosts[*]'];

  test('is a setting', () => {
    expect(errorsOf(three, { selectableFieldsMax: 3 })).toEqual([]);
    expect(errorsOf(three, { selectableFieldsMax: 2 })).toEqual([
      'spec.selectableFields: Too many: 3: must have at most 2 items',
    ]);
  });

  test('a stored CRD may have more, until a write changes them', () => {
    expect(errorsOf(three, { selectableFieldsMax: 1 }, three)).toEqual([]);
    expect(errorsOf(three.slice(0, 2), { selectableFieldsMax: 1 }, three)).toEqual([
      'spec.selectableFields: Too many: 2: must have at most 1 item',
    ]);
  });
});
