import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { ClaimMapper } from './claim-mapper.ts';
import { IdentityExpressions } from './expressions.ts';
import type { IssuerConfig } from './issuer-config.ts';

/** The user that an issuer with this configuration maps claims to. */
function userOf(claims: JsonObject, more: Partial<IssuerConfig> = {}) {
  const config: IssuerConfig = {
    url: 'https://issuer',
    discoveryUrl: undefined,
    caPem: undefined,
    audiences: [],
    algorithms: [],
    username: { claim: 'sub', prefix: '' },
    groups: undefined,
    uid: undefined,
    extra: [],
    claimRules: [],
    userRules: [],
    ...more,
  };
  return new ClaimMapper(config, new IdentityExpressions({ now: () => 0 })).userOf(claims);
}

type Case = [claims: JsonObject, config: Partial<IssuerConfig>, expected: object];

describe('a user', () => {
  test.each<Case>([
    [{ sub: 'a' }, {}, { name: 'a', groups: [] }],
    [{ sub: 'a' }, { username: { claim: 'sub', prefix: 'oidc:' } }, { name: 'oidc:a', groups: [] }],
    [{ sub: '' }, { username: { claim: 'sub', prefix: 'oidc:' } }, { name: 'oidc:', groups: [] }],
    [{ sub: 'a' }, { username: { expression: '"x:" + claims.sub' } }, { name: 'x:a', groups: [] }],
    [
      { sub: 'a', g: ['b', 'c'] },
      { groups: { claim: 'g', prefix: 'p:' } },
      { name: 'a', groups: ['p:b', 'p:c'] },
    ],
    [{ sub: 'a', g: 'b' }, { groups: { claim: 'g', prefix: '' } }, { name: 'a', groups: ['b'] }],
    [{ sub: 'a' }, { groups: { claim: 'g', prefix: 'p:' } }, { name: 'a', groups: [] }],
    [{ sub: 'a', g: ['b', ''] }, { groups: { expression: 'claims.g' } }, { name: 'a', groups: ['b'] }],
    [{ sub: 'a', id: 'u' }, { uid: { claim: 'id', prefix: '' } }, { name: 'a', uid: 'u', groups: [] }],
    [{ sub: 'a' }, { uid: { expression: '"u:" + claims.sub' } }, { name: 'a', uid: 'u:a', groups: [] }],
    [
      { sub: 'a', n: 1 },
      { username: { expression: 'type(claims.n) == double ? "double" : "int"' } },
      { name: 'double', groups: [] },
    ],
    [
      { sub: 'a', jti: 'j' },
      {},
      { name: 'a', groups: [], extra: new Map([['authentication.kubernetes.io/credential-id', ['JTI=j']]]) },
    ],
    [
      { sub: 'a', team: 't' },
      {
        extra: [
          { key: 'x/team', expression: 'claims.team' },
          { key: 'x/none', expression: '""' },
        ],
      },
      { name: 'a', groups: [], extra: new Map([['x/team', ['t']]]) },
    ],
    [{ sub: 'a', hd: 'x' }, { claimRules: [{ claim: 'hd', requiredValue: 'x' }] }, { name: 'a', groups: [] }],
    [
      { sub: 'a' },
      { claimRules: [{ expression: 'claims.sub == "a"', message: 'm' }] },
      { name: 'a', groups: [] },
    ],
    [
      { sub: 'a' },
      { userRules: [{ expression: 'user.username == "a"', message: 'm' }] },
      { name: 'a', groups: [] },
    ],
    [{ email: 'a@b' }, { username: { claim: 'email', prefix: '' } }, { name: 'a@b', groups: [] }],
    [
      { email: 'a@b', email_verified: true },
      { username: { claim: 'email', prefix: '' } },
      { name: 'a@b', groups: [] },
    ],
  ])('of %j by %j', (claims, config, expected) => expect(userOf(claims, config)).toEqual(expected));
});

const email = { username: { claim: 'email', prefix: '' } };

describe('no user', () => {
  test.each<[claims: JsonObject, config: Partial<IssuerConfig>, text: string]>([
    [{}, {}, 'oidc: parse username claims "sub": claim not present'],
    [JSON.parse('{"__proto__": {"sub": "a"}}'), {}, 'oidc: parse username claims "sub": claim not present'],
    [{ sub: 7 }, {}, 'oidc: parse username claims "sub": it is no string'],
    [{ email: 'a@b', email_verified: false }, email, 'oidc: email not verified'],
    [{ email: 'a@b', email_verified: 'true' }, email, "oidc: parse 'email_verified' claim: it is no boolean"],
    [
      { sub: 'a' },
      { username: { expression: '1' } },
      'oidc: error evaluating username claim expression: username claim expression must return a string',
    ],
    [
      { sub: '' },
      { username: { expression: 'claims.sub' } },
      'oidc: empty username via CEL expression is not allowed',
    ],
    [
      { sub: 'a' },
      { username: { expression: 'claims.name' } },
      "oidc: error evaluating username claim expression: expression 'claims.name' resulted in error: no such key: name",
    ],
    [
      { sub: 'a', g: [7] },
      { groups: { claim: 'g', prefix: '' } },
      'oidc: parse groups claim "g": want a string or a list of them',
    ],
    [
      { sub: 'a', g: [7] },
      { groups: { expression: 'claims.g' } },
      'oidc: error evaluating group claim expression: expression must return a string or a list of strings',
    ],
    [{ sub: 'a' }, { uid: { claim: 'id', prefix: '' } }, 'oidc: parse uid claim "id": claim not present'],
    [
      { sub: 'a', id: 7 },
      { uid: { claim: 'id', prefix: '' } },
      'oidc: parse uid claim "id": it is no string',
    ],
    [
      { sub: 'a' },
      { uid: { expression: '7' } },
      'oidc: error evaluating uid claim expression: it must return a string',
    ],
    [
      { sub: 'a' },
      { claimRules: [{ claim: 'hd', requiredValue: 'x' }] },
      'oidc: required claim hd not present in ID token',
    ],
    [
      { sub: 'a', hd: 7 },
      { claimRules: [{ claim: 'hd', requiredValue: 'x' }] },
      'oidc: parse claim hd: it is no string',
    ],
    [
      { sub: 'a', hd: 'y' },
      { claimRules: [{ claim: 'hd', requiredValue: 'x' }] },
      'oidc: required claim hd value does not match. Got = y, want = x',
    ],
    [
      { sub: 'a' },
      { claimRules: [{ expression: 'claims.sub == "b"', message: 'only b' }] },
      `oidc: error evaluating claim validation expression: validation expression 'claims.sub == "b"' failed: only b`,
    ],
    [
      { sub: 'system:a' },
      { userRules: [{ expression: '!user.username.startsWith("system:")', message: 'reserved' }] },
      `oidc: error evaluating user info validation rule: validation expression '!user.username.startsWith("system:")' failed: reserved`,
    ],
  ])('of %j by %j', (claims, config, message) => {
    expect(() => userOf(claims, config)).toThrow(expect.objectContaining({ message }));
  });
});
