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

describe.each(['sync', 'async'] as const)('a union of authenticators that answer %s', (kind) => {
  const ask = async (
    bearerToken: string,
    options: { certificate?: typeof alice; anonymous?: boolean } = {},
  ) => {
    const { certificate, anonymous = false } = options;
    const found = await unions[kind](anonymous).authenticate(credentialsOf({ bearerToken, certificate }));
    return found?.user;
  };

  test('everybody who is known is in system:authenticated', async () => {
    expect(await ask('good')).toEqual({ name: 'bob', uid: '7', groups: ['dev', 'system:authenticated'] });
    expect(await ask('', { certificate: alice })).toEqual({
      name: 'alice',
      groups: ['ops', 'system:authenticated'],
      extra: new Map([['authentication.kubernetes.io/credential-id', ['X509SHA256=ab12']]]),
    });
  });

  test('a bad token beside a good certificate does no harm', async () => {
    expect((await ask('bad', { certificate: alice }))?.name).toBe('alice');
  });

  test('a bad token is refused, even where anonymous requests are let in', async () => {
    await expect(async () => ask('bad')).rejects.toThrow(BadCredentialsError);
    await expect(async () => ask('bad', { anonymous: true })).rejects.toThrow('invalid bearer token');
  });

  test('no credentials are nobody, or the anonymous user', async () => {
    expect(await ask('')).toBeUndefined();
    expect(await ask('', { anonymous: true })).toEqual({
      name: 'system:anonymous',
      groups: ['system:unauthenticated'],
    });
  });
});

test('certificates are answered without a promise, and with the same user for each request', () => {
  const union = unions.sync(false);
  const ask = () => union.authenticate(credentialsOf({ certificate: alice })) as Authentication;
  expect(ask().user.name).toBe('alice');
  expect(ask()).toBe(ask());
});
