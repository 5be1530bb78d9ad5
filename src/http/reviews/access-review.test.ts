import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { askedAttributes } from './review-attributes.ts';
import { validateAccessReview } from './validate-access-review.ts';

const alice = { name: 'alice', groups: [] };

describe('the attributes of a review', () => {
  const resource = (fields: JsonObject) => {
    const { attributes, unread } = askedAttributes({ resourceAttributes: fields }, alice);
    const { fieldSelector: fields_, labelSelector: labels } = attributes.resource ?? {};
    return { version: attributes.resource?.version, fields: fields_, labels, unread };
  };
  const nothing = { version: '*', fields: undefined, labels: undefined, unread: [] };
  const at = 'spec.resourceAttributes';

  test('a path', () => {
    const spec = { nonResourceAttributes: { verb: 'get', path: '/healthz' } };
    expect(askedAttributes(spec, alice)).toEqual({
      attributes: { user: alice, verb: 'get', path: '/healthz', resource: undefined },
      unread: [],
    });
  });

  test.each<[JsonObject, object]>([
    [{}, {}],
    [{ version: 'v1' }, { version: 'v1' }],
    [{ fieldSelector: { rawSelector: 'a=b' } }, { fields: [{ field: 'a', operator: '=', value: 'b' }] }],
    [
      { fieldSelector: { rawSelector: '((' } },
      { unread: [`${at}.fieldSelector ignored due to parse error`] },
    ],
    [
      {
        fieldSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['b'] },
            { key: 'c', operator: 'NotIn', values: ['d'] },
          ],
        },
      },
      {
        fields: [
          { field: 'a', operator: '=', value: 'b' },
          { field: 'c', operator: '!=', value: 'd' },
        ],
      },
    ],
    [
      {
        fieldSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['b', 'c'] },
            { key: 'd', operator: 'In', values: ['e'] },
          ],
        },
      },
      {
        fields: [{ field: 'd', operator: '=', value: 'e' }],
        unread: [`${at}.fieldSelector partially ignored due to parse error`],
      },
    ],
    [
      { labelSelector: { requirements: [{ key: 'a', operator: 'Near', values: ['b'] }] } },
      { unread: [`${at}.labelSelector ignored due to parse error`] },
    ],
    [
      { labelSelector: { requirements: [{ key: 'a', operator: 'Exists' }] } },
      { labels: [expect.objectContaining({ key: 'a', operator: 'exists' })] },
    ],
  ])('%j', (fields, expected) => expect(resource(fields)).toEqual({ ...nothing, ...expected }));
});

describe('a review', () => {
  const check = (review: JsonObject, kind = { namesUser: true, local: false }) =>
    validateAccessReview(review, kind).map((error) => `${error.field}: ${error.detail}`);
  const asks = (fields: object = {}) => ({ user: 'a', resourceAttributes: { ...fields } });

  test.each<[spec: JsonObject, errors: string[]]>([
    [asks(), []],
    [{ groups: ['g'], nonResourceAttributes: {} }, []],
    [
      { user: 'a' },
      [
        'spec.resourceAttributes: exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ],
    ],
    [
      { user: 'a', resourceAttributes: {}, nonResourceAttributes: {} },
      ['spec.nonResourceAttributes: cannot be specified in combination with resourceAttributes'],
    ],
    [{ resourceAttributes: {} }, ['spec.user: at least one of user or group must be specified']],
    [
      asks({ fieldSelector: {} }),
      [
        'spec.resourceAttributes.fieldSelector.requirements: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required',
      ],
    ],
    [
      asks({ labelSelector: { rawSelector: 'a', requirements: [{}] } }),
      [
        'spec.resourceAttributes.labelSelector.rawSelector: may not specified at the same time as requirements',
      ],
    ],
  ])('of %j', (spec, errors) => expect(check({ spec })).toEqual(errors));

  test('has no metadata, except the namespace of a local one', () => {
    const spec = asks({ namespace: 'shop' });
    const local = { namesUser: true, local: true };
    expect(check({ spec, metadata: { namespace: 'shop' } })).toEqual(['metadata: must be empty']);
    expect(check({ spec, metadata: { creationTimestamp: null } })).toEqual([]);
    expect(check({ spec, metadata: { namespace: 'shop' } }, local)).toEqual([]);
    expect(check({ spec, metadata: { namespace: 'shop', name: 'a' } }, local)).toEqual([
      'metadata: must be empty except for namespace',
    ]);
    expect(check({ spec, metadata: { namespace: 'other' } }, local)).toEqual([
      'spec.resourceAttributes.namespace: must match metadata.namespace',
    ]);
    expect(check({ spec: { user: 'a', nonResourceAttributes: {} }, metadata: {} }, local)).toEqual([
      'spec.nonResourceAttributes: disallowed on this kind of request',
    ]);
  });

  test('of the caller names no user', () => {
    expect(check({ spec: { resourceAttributes: {} } }, { namesUser: false, local: false })).toEqual([]);
  });
});
