import { describe, expect, test } from 'vitest';
import { fieldErrorText } from '../refusal/field-error.ts';
import { FieldPath } from '../refusal/field-path.ts';
import type { JsonValue } from '../value/value.ts';
import { dedupOwnerReferences, ownerReferenceErrors, ownerReferencesOf } from './owner-references.ts';

const owner = { apiVersion: 'g/v1', kind: 'K', name: 'n', uid: 'u' };
const errors = (references: JsonValue) =>
  ownerReferenceErrors(FieldPath.of('refs'), ownerReferencesOf(references)).map(fieldErrorText);

describe('owner references', () => {
  test.each<[JsonValue, string[]]>([
    [[owner], []],
    [[{ ...owner, apiVersion: 'v1', kind: 'Pod' }], []],
    [
      [{}],
      [
        'refs[0].apiVersion: Required value: must not be empty',
        'refs[0].kind: Required value: must not be empty',
        'refs[0].name: Required value: must not be empty',
        'refs[0].uid: Required value: must not be empty',
      ],
    ],
    [
      [owner, { ...owner, apiVersion: 'a/b/c' }],
      ['refs[1].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>'],
    ],
    [
      [{ ...owner, apiVersion: 'g/' }],
      ['refs[0].apiVersion: Invalid value: "g/": must be <group>/<version> or <version>'],
    ],
    [
      [{ ...owner, apiVersion: 'v1', kind: 'Event' }],
      [
        'refs[0]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"n","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
      ],
    ],
    [
      [
        { ...owner, controller: true, extra: 1 },
        { ...owner, controller: false },
        { ...owner, name: 'm', controller: true, blockOwnerDeletion: true },
      ],
      [
        'refs: Invalid value: [{"apiVersion":"g/v1","kind":"K","name":"n","uid":"u","controller":true},{"apiVersion":"g/v1","kind":"K","name":"n","uid":"u","controller":false},{"apiVersion":"g/v1","kind":"K","name":"m","uid":"u","controller":true,"blockOwnerDeletion":true}]: Only one reference can have Controller set to true. Found "true" in references for K/n and K/m',
      ],
    ],
    ['nonsense', []],
  ])('%j', (references, expected) => expect(errors(references)).toEqual(expected));
});

test('of very many controllers only the first are listed', () => {
  const many = Array.from({ length: 20_000 }, () => ({ ...owner, controller: true }));
  expect(errors(many.slice(0, 11))).toHaveLength(10);
  expect(ownerReferenceErrors(FieldPath.of('refs'), ownerReferencesOf(many))).toHaveLength(10);
});

describe('duplicate owner references', () => {
  test('are all the same in every field', () => {
    const other = { ...owner, controller: true };
    expect(dedupOwnerReferences([owner, other], 'request')).toEqual({
      references: [owner, other],
      warning: undefined,
    });
  });

  test('go, with a warning', () => {
    const second = { ...owner, uid: 'w' };
    const { references, warning } = dedupOwnerReferences(
      [owner, second, { uid: 'u', name: 'n', kind: 'K', apiVersion: 'g/v1', controller: null }, second],
      'request',
    );
    expect(references).toEqual([owner, second]);
    expect(warning).toBe(
      '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u, w',
    );
  });

  test('of mutating admission are called so', () => {
    expect(dedupOwnerReferences([owner, owner], 'admission').warning).toBe(
      '.metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u',
    );
  });
});
