import { webcrypto } from 'node:crypto';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

/** Key algorithms that clients use. */
const keyAlgorithms = {
  ec: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  rsa: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
  ed25519: { name: 'Ed25519' },
} as const;

/** A certificate signing request for a subject in PEM, and its private key as PKCS #8. */
export async function certificateRequest(
  name: string,
  { names = [], key = 'ec' }: { names?: x509.JsonGeneralName[]; key?: keyof typeof keyAlgorithms } = {},
): Promise<{ request: string; privateKey: Buffer }> {
  const signingAlgorithm = keyAlgorithms[key];
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  if (!('privateKey' in keys)) throw new TypeError('a pair of keys was asked for');
  const extensions = names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)];
  const made = await x509.Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm,
    extensions,
  });
  const privateKey = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return { request: made.toString('pem'), privateKey };
}
