import { expect, test } from 'vitest';
import { fieldErrorText, type JsonObject } from '../../meta/index.ts';
import { fooCrd } from '../example.test-data.ts';
import { validateCrdStatus } from './validate-crd.ts';

const metadata = { name: 'foos.example.com', resourceVersion: '1' };
const having = (acceptedNames: JsonObject) => fooCrd({}, { metadata, status: { acceptedNames } });

test('only the accepted names and the metadata are looked at', () => {
  const old = having({});
  expect(validateCrdStatus(having({ plural: 'foos', kind: 'Foo' }), old)).toEqual([]);
  expect(
    validateCrdStatus(having({ plural: 'foos', kind: 'Foo', listKind: 'Foo' }), old).map(fieldErrorText),
  ).toEqual(['status.acceptedNames.listKind: Invalid value: "Foo": kind and listKind may not be the same']);
  expect(
    validateCrdStatus(fooCrd({}, { metadata: { name: 'foos.example.com' } }), old).map(fieldErrorText),
  ).toEqual(['metadata.resourceVersion: Invalid value: "": must be specified for an update']);
});
