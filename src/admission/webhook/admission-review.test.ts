import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { widgetKind, widgetResource, writeOf } from '../attributes.test-support.ts';
import { admissionReview, reviewResponse } from './admission-review.ts';
import { denied } from './webhook-refusals.ts';

test('a review of a subresource, as another version', () => {
  const { attributes } = writeOf({
    operation: 'UPDATE',
    subresource: 'status',
    user: { name: 'alice', uid: 'u', groups: ['dev'], extra: new Map([['k', ['v']]]) },
  });
  const matchedAs = {
    resource: { ...widgetResource, version: 'v2' },
    kind: { ...widgetKind, version: 'v2' },
  };
  const objects = { object: { a: 1 }, oldObject: undefined };
  expect(admissionReview({ version: 'v1', uid: 'id', attributes, matchedAs, objects })).toEqual({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'id',
      kind: { group: 'example.com', version: 'v2', kind: 'Widget' },
      resource: { group: 'example.com', version: 'v2', resource: 'widgets' },
      subResource: 'status',
      requestKind: { group: 'example.com', version: 'v1', kind: 'Widget' },
      requestResource: { group: 'example.com', version: 'v1', resource: 'widgets' },
      requestSubResource: 'status',
      name: 'a',
      namespace: 'shop',
      operation: 'UPDATE',
      userInfo: { username: 'alice', uid: 'u', groups: ['dev'], extra: { k: ['v'] } },
      object: { a: 1 },
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    },
  });
});

const v1 = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' };
const answer = (response: unknown, more: object = v1) => ({ ...more, response }) as JsonObject;
const ours = (fields: object = {}) => answer({ uid: 'id', allowed: true, ...fields });
const read = (document: JsonObject, phase: 'mutating' | 'validating' = 'mutating') =>
  reviewResponse(document, { version: 'v1', uid: 'id' }, phase);
const nothing = {
  allowed: false,
  result: undefined,
  patch: '',
  patchType: '',
  warnings: [],
  auditAnnotations: new Map(),
};

describe('an answer', () => {
  test('with everything', () => {
    const fields = {
      status: { code: 418 },
      patch: 'W10=',
      patchType: 'JSONPatch',
      warnings: ['w'],
      auditAnnotations: { k: 'v' },
    };
    expect(read(ours(fields))).toEqual({
      allowed: true,
      result: { code: 418 },
      patch: 'W10=',
      patchType: 'JSONPatch',
      warnings: ['w'],
      auditAnnotations: new Map([['k', 'v']]),
    });
  });

  test('with nothing allows nothing', () => {
    expect(read(answer({ uid: 'id' }))).toEqual(nothing);
    expect(read(answer({ uid: 'id', allowed: null, status: null, patch: null }))).toEqual(nothing);
  });

  test('of v1beta1 needs neither uid, nor kind, nor patchType', () => {
    const old = (document: JsonObject) =>
      reviewResponse(document, { version: 'v1beta1', uid: 'id' }, 'mutating');
    expect(old(answer({ uid: 'other', allowed: true, patch: 'W10=' }, {}))).toMatchObject({
      allowed: true,
      patchType: 'JSONPatch',
    });
    expect(old(answer({ patchType: 'x' }, {}))).toEqual(nothing);
  });
});

const failed = 'failed to call webhook: ';
const invalid = 'received invalid webhook response: ';
const go = `${failed}json: cannot unmarshal`;

describe('refuses', () => {
  test.each<[string, JsonObject, 'mutating' | 'validating', string]>([
    ['no response', { ...v1 }, 'mutating', `${invalid}webhook response was absent`],
    [
      'a text',
      answer('yes'),
      'mutating',
      `${go} string into Go struct field AdmissionReview.response of type v1.AdmissionResponse`,
    ],
    [
      'a text for a boolean',
      ours({ allowed: 'true' }),
      'mutating',
      `${go} string into Go struct field AdmissionResponse.response.allowed of type bool`,
    ],
    [
      'a text for a status',
      ours({ status: 'no' }),
      'mutating',
      `${go} string into Go struct field AdmissionResponse.response.status of type v1.Status`,
    ],
    [
      'a list for a patch',
      ours({ patch: [] }),
      'mutating',
      `${go} array into Go struct field AdmissionResponse.response.patch of type []uint8`,
    ],
    ['another uid', answer({ uid: 'x' }), 'mutating', `${invalid}expected response.uid="id", got "x"`],
    ['no uid', answer({}), 'mutating', `${invalid}expected response.uid="id", got ""`],
    [
      'no kind',
      answer({ uid: 'id' }, {}),
      'mutating',
      `${invalid}expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=`,
    ],
    [
      'another version',
      answer({ uid: 'id' }, { ...v1, apiVersion: 'admission.k8s.io/v1beta1' }),
      'mutating',
      `${failed}converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion`,
    ],
    [
      'another kind',
      answer({ uid: 'id' }, { kind: 'Pod', apiVersion: 'v1' }),
      'mutating',
      `${failed}no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"`,
    ],
    [
      'a patch without a type',
      ours({ patch: 'W10=' }),
      'mutating',
      `${invalid}webhook returned response.patch but not response.patchType`,
    ],
    [
      'a type without a patch',
      ours({ patchType: 'JSONPatch' }),
      'mutating',
      `${invalid}webhook returned response.patchType but not response.patch`,
    ],
    [
      'an empty type',
      ours({ patch: 'W10=', patchType: '' }),
      'mutating',
      `${invalid}webhook returned invalid response.patchType of ""`,
    ],
    [
      'a patch where nothing may change',
      ours({ patch: 'W10=' }),
      'validating',
      `${invalid}validating webhook may not return response.patch`,
    ],
    [
      'its type',
      ours({ patchType: 'JSONPatch' }),
      'validating',
      `${invalid}validating webhook may not return response.patchType`,
    ],
  ])('%s', (_, document, phase, message) => {
    expect(() => read(document, phase)).toThrow(expect.objectContaining({ message }));
  });
});

describe('a denial', () => {
  const head = 'admission webhook "w" denied the request';
  test.each<[JsonObject | undefined, object]>([
    [undefined, { code: 400, message: `${head} without explanation` }],
    [
      { code: 403, message: 'm', reason: 'Forbidden' },
      { code: 403, reason: 'Forbidden', message: `${head}: m` },
    ],
    [{ reason: 'Gone' }, { code: 400, message: `${head}: Gone` }],
    [{ code: 200 }, { code: 400 }],
    [{ code: 1_000 }, { code: 400 }],
    [{ code: 418.5 }, { code: 418 }],
    [{ code: '403' }, { code: 400 }],
    [{ details: { name: 'x' } }, { status: expect.objectContaining({ details: { name: 'x' } }) }],
  ])('of %j', (result, expected) => expect(denied('w', result)).toMatchObject(expected));
});
