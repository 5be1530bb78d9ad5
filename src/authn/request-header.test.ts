import { describe, expect, test } from 'vitest';
import type { Credentials } from '../auth/index.ts';
import { RequestHeaderAuthenticator } from './request-header.ts';

const certificate = {
  commonName: 'proxy',
  organizations: [],
  fingerprint: 'leaf',
  expiresAtMs: 7,
  chain: ['leaf', 'proxy-authority'],
};

/** The credentials of a request with these headers over a proxy's connection. */
function credentials(
  headers: readonly (readonly [string, string])[],
  more: Partial<Credentials> = {},
): Credentials {
  return {
    bearerToken: '',
    certificate,
    path: '/',
    header: (name) => headers.find(([one]) => one === name)?.[1],
    headersFrom: (prefix) => headers.filter(([name]) => name.startsWith(prefix)),
    ...more,
  };
}

const authenticator = (allowedNames: readonly string[] = []) =>
  new RequestHeaderAuthenticator({
    isTrusted: (chain) => chain.includes('proxy-authority'),
    allowedNames,
    userHeaders: ['x-remote-user', 'x-user'],
    uidHeaders: ['x-remote-uid'],
    groupHeaders: ['x-remote-group', 'x-group'],
    extraPrefixes: ['x-remote-extra-'],
  });

const alice = [['x-remote-user', 'alice']] as const;

describe('the user of a trusted proxy', () => {
  test.each<[string, readonly (readonly [string, string])[], object | undefined]>([
    ['its name', alice, { name: 'alice', groups: [] }],
    [
      'the first header that says something',
      [
        ['x-remote-user', ' '],
        ['x-user', 'bob'],
      ],
      { name: 'bob', groups: [] },
    ],
    ['nobody', [], undefined],
    ['a UID', [...alice, ['x-remote-uid', 'u']], { name: 'alice', uid: 'u', groups: [] }],
    [
      'groups of all headers, in their order, but not those of longer names',
      [
        ...alice,
        ['x-group', 'c'],
        ['x-remote-group', 'a'],
        ['x-remote-group', ''],
        ['x-remote-groups', 'no'],
        ['x-remote-group', 'b'],
      ],
      { name: 'alice', groups: ['a', 'b', 'c'] },
    ],
    [
      'extras, whose keys are unescaped where they can be',
      [
        ...alice,
        ['x-remote-extra-a%2fb', '1'],
        ['x-remote-extra-a%2fb', '2'],
        ['x-remote-extra-100%', '3'],
        ['x-remote-extra-', 'no'],
        ['x-remote-extra-__proto__', '4'],
      ],
      {
        name: 'alice',
        groups: [],
        extra: new Map([
          ['a/b', ['1', '2']],
          ['100%', ['3']],
          ['__proto__', ['4']],
        ]),
      },
    ],
  ])('%s', (_, headers, user) => {
    const found = authenticator().authenticate(credentials(headers));
    expect(found).toEqual(user && { user, expiresAtMs: 7 });
  });
});

describe('ignores the headers', () => {
  test.each<[string, Partial<Credentials>]>([
    ['without a certificate', { certificate: undefined }],
    [
      'with a certificate that the transport does not believe',
      { certificate: { ...certificate, fault: 'expired' } },
    ],
    [
      'with a certificate of another authority',
      { certificate: { ...certificate, chain: ['leaf', 'other'] } },
    ],
  ])('%s', (_, more) => {
    expect(authenticator(['proxy']).authenticate(credentials(alice, more))).toBeUndefined();
  });
});

test('refuses a proxy whose name is not allowed', () => {
  expect(authenticator(['proxy']).authenticate(credentials(alice))).toBeDefined();
  expect(() => authenticator(['front']).authenticate(credentials(alice))).toThrow(
    'x509: subject with cn=proxy is not in the allowed list',
  );
});
