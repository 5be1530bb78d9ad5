import { describe, expect, test } from 'vitest';
import { issuerOfFlags } from './issuer-of-flags.ts';

const flags = {
  url: 'https://issuer',
  clientId: 'me',
  caPem: undefined,
  usernameClaim: 'sub',
  usernamePrefix: undefined,
  groupsClaim: '',
  groupsPrefix: '',
  requiredClaims: [],
  algorithms: ['RS256'],
};
const issuer = (more: Partial<Parameters<typeof issuerOfFlags>[0]> = {}) =>
  issuerOfFlags({ ...flags, ...more });

test.each([
  ['sub', undefined, 'https://issuer#'],
  ['sub', '', 'https://issuer#'],
  ['sub', '-', ''],
  ['sub', 'oidc:', 'oidc:'],
  ['email', undefined, ''],
  ['email', 'oidc:', 'oidc:'],
])(
  'names of the claim %s with --oidc-username-prefix=%s begin with %j',
  (usernameClaim, usernamePrefix, prefix) => {
    expect(issuer({ usernameClaim, usernamePrefix }).username).toEqual({ claim: usernameClaim, prefix });
  },
);

test('groups, audiences and required claims', () => {
  const made = issuer({ groupsClaim: 'g', groupsPrefix: 'p:', requiredClaims: [['hd', 'x']] });
  expect(made).toMatchObject({
    groups: { claim: 'g', prefix: 'p:' },
    audiences: ['me'],
    claimRules: [{ claim: 'hd', requiredValue: 'x' }],
  });
  expect(issuer().groups).toBeUndefined();
});

describe('refuses', () => {
  test.each([
    [{ url: 'http://issuer' }, '--oidc-issuer-url: URL scheme must be https'],
    [{ url: 'issuer' }, '--oidc-issuer-url: URL scheme must be https'],
    [{ clientId: '' }, 'oidc-issuer-url and oidc-client-id must be specified together'],
    [{ algorithms: ['RS256', 'none'] }, 'oidc: unsupported signing alg: "none"'],
    [{ algorithms: ['HS256'] }, 'oidc: unsupported signing alg: "HS256"'],
  ])('%j', (more, message) => expect(() => issuer(more)).toThrow(message));
});
