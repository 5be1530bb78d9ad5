import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { created, createErrors, updated } from '../strategy/check-kind.test-support.ts';
import { ingressKind } from './ingress.ts';
import { ingressClassKind } from './ingress-class.ts';
import { networkPolicyKind } from './network-policy.ts';

const service = { name: 'a', port: { number: 80 } };
const inRules = (rules: JsonObject[]) => createErrors(ingressKind, { spec: { rules } });
/** The errors of an Ingress with one path that differs in these fields, without their common beginning. */
const ofPath = (more: JsonObject) =>
  inRules([{ http: { paths: [{ pathType: 'Prefix', path: '/', backend: { service }, ...more }] } }]).map(
    (error) => error.replace('spec.rules[0].http.paths[0].', ''),
  );

describe('a path of an Ingress', () => {
  test.each<[JsonObject, string[]]>([
    [{}, []],
    [{ pathType: 'ImplementationSpecific', path: '' }, []],
    [{ path: 'x' }, ['path: Invalid value: "x": must be an absolute path']],
    [
      { path: '/a//b/..' },
      [
        `path: Invalid value: "/a//b/..": must not contain '//'`,
        `path: Invalid value: "/a//b/..": cannot end with '/..'`,
      ],
    ],
    [
      { pathType: 'Glob' },
      ['pathType: Unsupported value: "Glob": supported values: "Exact", "ImplementationSpecific", "Prefix"'],
    ],
    [{ pathType: null }, ['pathType: Required value: pathType must be specified']],
    [{ backend: {} }, ['backend: Invalid value: "": resource or service backend is required']],
    [
      { backend: { service, resource: { kind: 'A', name: 'a' } } },
      ['backend: Invalid value: "": cannot set both resource and service backends'],
    ],
    [
      { backend: { service: { name: 'a', port: { name: 'x', number: 1 } } } },
      ['backend: Invalid value: "": cannot set both port name & port number'],
    ],
    [
      { backend: { service: { name: '' } } },
      ['backend.service.name: Required value', 'backend: Required value: port name or number is required'],
    ],
  ])('%j', (more, errors) => expect(ofPath(more)).toEqual(errors));
});

test('hosts of an Ingress are names, with a wildcard at most', () => {
  expect(inRules([{ host: 'a.b' }, { host: '*.a.b' }, { host: '1.2.3.4' }, { host: 'a..b' }])).toEqual([
    'spec.rules[2].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    expect.stringMatching(/^spec\.rules\[3\]\.host: Invalid value: "a\.\.b": a lowercase RFC 1123 subdomain/),
  ]);
});

test('an Ingress has something to serve', () => {
  expect(createErrors(ingressKind, { spec: {} })).toEqual([
    'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
  ]);
  expect(createErrors(ingressKind, { spec: { defaultBackend: { service } } })).toEqual([]);
});

test('the controller of an IngressClass is required, and stays', () => {
  const named = (controller: string) => ({ spec: { controller } });
  expect(createErrors(ingressClassKind, {})).toEqual(['spec.controller: Required value']);
  expect(updated(ingressClassKind, named('a.b/c'), named('a.b/d'))).toEqual([
    'spec.controller: Invalid value: "a.b/d": field is immutable',
  ]);
});

test.each([
  [{ podSelector: {} }, ['Ingress']],
  [{ podSelector: {}, egress: [{}] }, ['Ingress', 'Egress']],
  [{ podSelector: {}, egress: [], policyTypes: [] }, ['Ingress']],
  [{ podSelector: {}, policyTypes: ['Egress'] }, ['Egress']],
])('a NetworkPolicy of %j has the types %j', (spec, policyTypes) => {
  expect(created(networkPolicyKind, { spec })['spec']).toMatchObject({ policyTypes });
});
