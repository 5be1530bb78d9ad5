import { expect, test } from 'vitest';
import { parseFieldSelector, parseLabelSelector } from '../meta/index.ts';
import { reviewSpec } from './review-spec.ts';

const user = { name: 'alice', groups: [] };
const pods = { group: '', version: 'v1', resource: 'pods', subresource: '', namespace: '', name: '' };

test('a path that is no resource', () => {
  expect(reviewSpec({ user, verb: 'get', path: '/healthz', resource: undefined })).toEqual({
    nonResourceAttributes: { path: '/healthz', verb: 'get' },
    user: 'alice',
  });
});

test('empty fields are left out', () => {
  expect(reviewSpec({ user, verb: 'list', path: '/x', resource: pods })).toEqual({
    resourceAttributes: { verb: 'list', version: 'v1', resource: 'pods' },
    user: 'alice',
  });
});

test('everything', () => {
  const resource = {
    group: 'apps',
    version: 'v1',
    resource: 'deployments',
    subresource: 'status',
    namespace: 'shop',
    name: 'a',
  };
  const extra = new Map([['__proto__', ['x', 'y']]]);
  const spec = reviewSpec({
    user: { name: 'alice', uid: 'u', groups: ['dev'], extra },
    verb: 'update',
    path: '/x',
    resource,
  });
  expect(JSON.stringify(spec)).toBe(
    '{"resourceAttributes":{"namespace":"shop","verb":"update","group":"apps","version":"v1","resource":"deployments",' +
      '"subresource":"status","name":"a"},"user":"alice","groups":["dev"],"extra":{"__proto__":["x","y"]},"uid":"u"}',
  );
});

const selected = (fields: string, labels: string) => {
  const fieldSelector = parseFieldSelector(fields).requirements;
  const labelSelector = parseLabelSelector(labels).requirements;
  const resource = { ...pods, fieldSelector, labelSelector };
  return reviewSpec({ user, verb: 'list', path: '/x', resource })['resourceAttributes'];
};

test('selectors are sent as requirements', () => {
  expect(selected('a=1,b!=2', 'a=1,b!=2,c in (3),d notin (4),e,!f')).toMatchObject({
    fieldSelector: {
      requirements: [
        { key: 'a', operator: 'In', values: ['1'] },
        { key: 'b', operator: 'NotIn', values: ['2'] },
      ],
    },
    labelSelector: {
      requirements: [
        { key: 'a', operator: 'In', values: ['1'] },
        { key: 'b', operator: 'NotIn', values: ['2'] },
        { key: 'c', operator: 'In', values: ['3'] },
        { key: 'd', operator: 'NotIn', values: ['4'] },
        { key: 'e', operator: 'Exists' },
        { key: 'f', operator: 'DoesNotExist' },
      ],
    },
  });
});

test('requirements that the API cannot say are left out', () => {
  expect(selected('', 'a>1')).toEqual({ verb: 'list', version: 'v1', resource: 'pods' });
});
