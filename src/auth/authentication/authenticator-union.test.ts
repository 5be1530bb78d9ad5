import { describe, expect, test } from 'vitest';
import { type Authentication, BadCredentialsError } from './authentication.ts';
import type { Authenticator } from './authenticator.ts';
import { AuthenticatorUnion } from './authenticator-union.ts';
import { CertificateAuthenticator } from './client-certificate.ts';
import { credentialsOf } from './credentials.test-support.ts';
import { parseTokenFile } from './token-file.ts';
import { unknownTokens } from './unknown-tokens.ts';

const tokens = parseTokenFile('good,bob,7,"dev"');
const inTime = (authenticator: Authenticator): Authenticator => ({
  authenticate: async (credentials) => authenticator.authenticate(credentials),
});
const clock = { now: () => 0 };
const certificates = new CertificateAuthenticator({ clock, revocations: [] });
const alice = {
  commonName: 'alice',
  organizations: ['ops'],
  fingerprint: 'ab12',
  chain: ['ab12'],
  expiresAtMs: 60_000,
};

const unions = {
  sync: (anonymous: boolean) =>
    new AuthenticatorUnion([certificates, tokens, unknownTokens], {
      anonymous: () => anonymous,
    }),
  async: (anonymous: boolean) =>
    new AuthenticatorUnion([certificates, inTime(tokens), inTime(unknownTokens)], {
      anonymous: () => anonymous,
    }),
};

describe.each(['sync', 'async'] as const)('a union of %s authenticators', (kind) => {
  const ask = async (
    bearerToken: string,
    options: { certificate?: typeof alice; anonymous?: boolean } = {},
  ) => {
    const { certificate, anonymous = false } = options;
    const found = await unions[kind](anonymous).authenticate(credentialsOf({ bearerToken, certificate }));
    return found?.user;
  };

  test('adds system:authenticated to every known user', async () => {
    expect(await ask('good')).toEqual({ name: 'bob', uid: '7', groups: ['dev', 'system:authenticated'] });
    expect(await ask('', { certificate: alice })).toEqual({
      name: 'alice',
      groups: ['ops', 'system:authenticated'],
      extra: new Map([['authentication.kubernetes.io/credential-id', ['X509SHA256=ab12']]]),
    });
  });

  test('ignores a bad token if the certificate is valid', async () => {
    expect((await ask('bad', { certificate: alice }))?.name).toBe('alice');
  });

  test('refuses a bad token, even if anonymous requests are allowed', async () => {
    await expect(async () => ask('bad')).rejects.toThrow(BadCredentialsError);
    await expect(async () => ask('bad', { anonymous: true })).rejects.toThrow('invalid bearer token');
  });

  test('without credentials there is no user, or the anonymous one', async () => {
    expect(await ask('')).toBeUndefined();
    expect(await ask('', { anonymous: true })).toEqual({
      name: 'system:anonymous',
      groups: ['system:unauthenticated'],
    });
  });
});

test('returns the user of a certificate without a promise, the same object for each request', () => {
  const union = unions.sync(false);
  const ask = () => union.authenticate(credentialsOf({ certificate: alice })) as Authentication;
  expect(ask().user.name).toBe('alice');
  expect(ask()).toBe(ask());
});
