import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { certificateRequest } from './certificate-requests.test-support.ts';
import { type KeyPair, makeCertificates } from './certificates.ts';
import { signRequest, type SigningSpec } from './sign-request.ts';

const nowMs = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;
const client = 'kubernetes.io/kube-apiserver-client';
const kubeletClient = 'kubernetes.io/kube-apiserver-client-kubelet';
const kubeletServing = 'kubernetes.io/kubelet-serving';
const node = 'CN=system:node:a, O=system:nodes';

let authority: KeyPair;
beforeAll(async () => {
  authority = (await makeCertificates([], nowMs)).ca;
});

type Asked = Partial<Omit<SigningSpec, 'request'>> &
  Parameters<typeof certificateRequest>[1] & { name?: string };

async function sign({ name = 'CN=jane, O=team', names, key, ...spec }: Asked, now = nowMs) {
  const { request } = await certificateRequest(name, { ...(names && { names }), ...(key && { key }) });
  const defaults = { signerName: client, usages: ['client auth'], expirationSeconds: undefined };
  return signRequest(authority, { ...defaults, ...spec, request }, now);
}

async function signed(asked: Asked): Promise<X509Certificate> {
  const outcome = await sign(asked);
  expect(outcome).toHaveProperty('certificate');
  return new X509Certificate(outcome !== undefined && 'certificate' in outcome ? outcome.certificate : '');
}

test.each(['ec', 'rsa', 'ed25519'] as const)('a request with a key of %s', async (key) => {
  const certificate = await signed({ key, usages: ['client auth', 'key encipherment', 'digital signature'] });
  expect(certificate.verify(new X509Certificate(authority.certPem).publicKey)).toBe(true);
  expect(certificate.subject).toBe('CN=jane\nO=team');
  expect(certificate.issuer).toBe('CN=ilk-ca');
  expect(certificate.publicKey.asymmetricKeyType).toBe(key);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  expect(certificate.ca).toBe(false);
});

const week = 7 * 24 * 3600;

test.each<[asked: number | undefined, hours: number]>([
  [undefined, 365 * 24 - 1 / 12],
  [week, week / 3600 - 1 / 12],
  // Backdating does not shorten short lifetimes.
  [3600, 1],
  [1, 1 / 6],
  [1e9, 365 * 24 - 1 / 12],
])(
  'expirationSeconds %s: for %s hours from now, and five minutes of the past',
  async (expirationSeconds, hours) => {
    const { validFrom, validTo } = await signed({ expirationSeconds });
    expect(Date.parse(validFrom)).toBe(nowMs - hourMs / 12);
    expect((Date.parse(validTo) - nowMs) / hourMs).toBeCloseTo(hours, 3);
  },
);

test('never outlives the authority', async () => {
  const authorityEnd = Date.parse(new X509Certificate(authority.certPem).validTo);
  const outcome = await sign({}, authorityEnd - hourMs);
  const certificate = outcome !== undefined && 'certificate' in outcome ? outcome.certificate : '';
  expect(Date.parse(new X509Certificate(certificate).validTo)).toBe(authorityEnd);
  await expect(sign({}, authorityEnd)).rejects.toThrow(
    /^refusing to sign a certificate: its authority expired 20/,
  );
});

describe('nodes', () => {
  const usages = ['digital signature', 'client auth'];
  test('clients', async () => {
    const certificate = await signed({ name: node, signerName: kubeletClient, usages });
    expect(certificate.subject).toBe('CN=system:node:a\nO=system:nodes');
  });
  test('servers, with their names', async () => {
    const certificate = await signed({
      name: node,
      signerName: kubeletServing,
      usages: ['digital signature', 'key encipherment', 'server auth'],
      names: [
        { type: 'dns', value: 'a.example.com' },
        { type: 'ip', value: '10.0.0.1' },
      ],
    });
    expect(certificate.subjectAltName).toBe('DNS:a.example.com, IP Address:10.0.0.1');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });
});

const all = '[client auth digital signature key encipherment]';
const dns = { type: 'dns', value: 'a' } as const;

test.each<[string, Asked]>([
  ['invalid usage for client certificate: server auth', { usages: ['client auth', 'server auth'] }],
  ['missing required usage for client certificate: client auth', { usages: ['digital signature'] }],
  ['subject organization is not system:nodes', { signerName: kubeletClient }],
  ['subject organization is not system:nodes', { signerName: kubeletServing, name: 'CN=system:node:a' }],
  ['DNS subjectAltNames are not allowed', { signerName: kubeletClient, name: node, names: [dns] }],
  [
    'IP subjectAltNames are not allowed',
    { signerName: kubeletClient, name: node, names: [{ type: 'ip', value: '10.0.0.1' }] },
  ],
  [
    'URI subjectAltNames are not allowed',
    { signerName: kubeletClient, name: node, names: [{ type: 'url', value: 'https://a' }] },
  ],
  [
    'Email subjectAltNames are not allowed',
    { signerName: kubeletServing, name: node, names: [dns, { type: 'email', value: 'a@b.c' }] },
  ],
  ['DNS or IP subjectAltName is required', { signerName: kubeletServing, name: node }],
  [
    'subject common name does not begin with system:node:',
    { signerName: kubeletClient, name: 'CN=a, O=system:nodes' },
  ],
  [`usages did not match ${all}`, { signerName: kubeletClient, name: node }],
  [
    'usages did not match [digital signature key encipherment server auth]',
    { signerName: kubeletServing, name: node, names: [dns] },
  ],
])('refused: %s', async (failure, asked) => {
  expect(await sign(asked)).toEqual({ failure });
});

test('ignores other signers', async () => {
  expect(await sign({ signerName: 'example.com/signer' })).toBe(undefined);
});

test('an authority with an RSA key', async () => {
  const { request, privateKey } = await certificateRequest('CN=ca', { key: 'rsa' });
  const keyPem = `-----BEGIN PRIVATE KEY-----\n${privateKey.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  const rsa = { certPem: authority.certPem, keyPem };
  const spec = { signerName: client, usages: ['client auth'], expirationSeconds: undefined, request };
  const outcome = await signRequest(rsa, spec, nowMs);
  const pem = outcome !== undefined && 'certificate' in outcome ? outcome.certificate : '';
  // The request has the same key.
  const certificate = new X509Certificate(pem);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
});
