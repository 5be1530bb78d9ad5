import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { fooCrd } from '../example.test-data.ts';
import { acceptNames, hasItsNames } from './accept-names.ts';

const asking = (names: JsonObject, status: JsonObject = {}) =>
  fooCrd({ names: { plural: 'foos', kind: 'Foo', ...names } }, { status });
const having = (acceptedNames: JsonObject, group = 'example.com') =>
  fooCrd({ group }, { status: { acceptedNames } });

test('names that are free are granted', () => {
  const crd = asking({ shortNames: ['fo'], categories: ['all'] });
  expect(hasItsNames(crd)).toBe(false);
  const decision = acceptNames(crd, [having({ plural: 'bars', kind: 'Bar' })]);
  expect(decision).toEqual({
    acceptedNames: {
      plural: 'foos',
      singular: 'foo',
      shortNames: ['fo'],
      kind: 'Foo',
      listKind: 'FooList',
      categories: ['all'],
    },
    namesAccepted: {
      type: 'NamesAccepted',
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    },
    established: {
      type: 'Established',
      status: 'False',
      reason: 'Installing',
      message: 'the initial names have been accepted',
    },
  });
  expect(
    hasItsNames(
      asking({ shortNames: ['fo'], categories: ['all'] }, { acceptedNames: decision.acceptedNames }),
    ),
  ).toBe(true);
});

describe('a name that another CRD of the group has', () => {
  const table: readonly [string, JsonObject, JsonObject, string][] = [
    ['PluralConflict', {}, { singular: 'foos' }, '"foos" is already in use'],
    ['SingularConflict', {}, { shortNames: ['foo'] }, '"foo" is already in use'],
    ['ShortNamesConflict', { shortNames: ['a', 'b', 'c'] }, { shortNames: ['a'] }, '"a" is already in use'],
    [
      'ShortNamesConflict',
      { shortNames: ['a', 'b', 'c'] },
      { plural: 'b', shortNames: ['c'] },
      '["b" is already in use, "c" is already in use]',
    ],
    ['KindConflict', {}, { listKind: 'Foo' }, '"Foo" is already in use'],
    ['ListKindConflict', {}, { kind: 'Foo', listKind: 'FooList' }, '"FooList" is already in use'],
  ];

  test.each(table)('%s', (reason, asked, taken, message) => {
    const { namesAccepted, established } = acceptNames(asking(asked), [having(taken)]);
    expect(namesAccepted).toEqual({ type: 'NamesAccepted', status: 'False', reason, message });
    expect(established.reason).toBe('NotAccepted');
  });

  test('is refused alone, the others are granted', () => {
    const { acceptedNames } = acceptNames(asking({}), [having({ kind: 'Foo' })]);
    expect(acceptedNames).toEqual({ plural: 'foos', singular: 'foo', kind: '', listKind: 'FooList' });
  });

  test('of another group does not matter', () => {
    const { namesAccepted } = acceptNames(asking({}), [
      having({ plural: 'foos', kind: 'Foo' }, 'example.org'),
    ]);
    expect(namesAccepted.status).toBe('True');
  });
});

test('a CRD keeps the names it has, and stays established', () => {
  const status = {
    acceptedNames: { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList', shortNames: ['f'] },
    conditions: [{ type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'm' }],
  };
  const { acceptedNames, namesAccepted, established } = acceptNames(
    asking({ shortNames: ['f', 'b'] }, status),
    [having({ plural: 'b', kind: 'Foo' })],
  );
  expect(acceptedNames).toEqual(status.acceptedNames);
  expect(namesAccepted).toMatchObject({ reason: 'ShortNamesConflict', message: '"b" is already in use' });
  expect(established).toEqual({
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'm',
  });
});

test('a name that is no longer asked for is given back', () => {
  const status = { acceptedNames: { plural: 'foos', kind: 'Foo', shortNames: ['f'], categories: ['all'] } };
  expect(acceptNames(asking({}, status), []).acceptedNames).toEqual({
    plural: 'foos',
    singular: 'foo',
    kind: 'Foo',
    listKind: 'FooList',
  });
});
