import { expect, test } from 'vitest';
import { CertificateNameError } from './transport-text.ts';
import { checkServerName } from './check-server-name.ts';

/** The error for a certificate with these alternative names. */
function complaint(host: string, subjectaltname?: string) {
  const subject = { C: '', ST: '', L: '', O: '', OU: '', CN: 'a.example' };
  const certificate = { subject, ...(subjectaltname !== undefined && { subjectaltname }) };
  const error = checkServerName(host, certificate as Parameters<typeof checkServerName>[1]);
  expect(error === undefined || error instanceof CertificateNameError).toBe(true);
  return error?.message;
}

const noAddresses = (host: string) =>
  `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;

test.each<[string, string | undefined, string | undefined]>([
  ['a.example', 'DNS:a.example', undefined],
  ['b.a.example', 'DNS:*.a.example', undefined],
  ['127.0.0.1', 'DNS:x, IP Address:127.0.0.1', undefined],
  // The common name is ignored.
  ['a.example', undefined, 'certificate relies on legacy Common Name field, use SANs instead'],
  ['127.0.0.1', undefined, noAddresses('127.0.0.1')],
  ['127.0.0.1', 'DNS:127.0.0.1', noAddresses('127.0.0.1')],
  [
    '127.0.0.1',
    'IP Address:10.0.0.1, IP Address:10.0.0.2',
    'certificate is valid for 10.0.0.1, 10.0.0.2, not 127.0.0.1',
  ],
  [
    'a.example',
    'DNS:b.example, DNS:c.example',
    'certificate is valid for b.example, c.example, not a.example',
  ],
  [
    'a.example',
    'IP Address:10.0.0.1',
    'certificate is not valid for any names, but wanted to match a.example',
  ],
])('%s by %s', (host, names, expected) => expect(complaint(host, names)).toBe(expected));
