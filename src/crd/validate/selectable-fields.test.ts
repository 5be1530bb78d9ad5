import { expect, test } from 'vitest';
import { fieldErrorText, type JsonObject } from '../../meta/index.ts';
import { fooCrd, gates, versionNamed } from '../example.test-data.ts';
import { prepareCrdForCreate } from '../prepare.ts';
import { validateCrd } from './validate-crd.ts';

// Everything else about selectable fields stands in go-cases.json; here is what upstream refuses by mistake.

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
