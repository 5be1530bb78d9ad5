import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT } from 'jose';
import { makeCertificates } from '../../src/auth/index.ts';

/** An issuer of OpenID Connect in this process, which signs tokens with RS256. */
export async function startIssuer() {
  const { ca, server: own } = await makeCertificates(['127.0.0.1'], Date.now());
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const server = createServer({ cert: own.certPem, key: own.keyPem }, (request, response) => {
    const isKeys = request.url === '/keys';
    response.end(JSON.stringify(isKeys ? { keys: [jwk] } : { issuer: url, jwks_uri: `${url}/keys` }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`; // It listens on a port.
  return {
    url,
    caPem: ca.certPem,
    publicKey,
    sign: (name: string) => signed(url, name, privateKey),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function signed(issuer: string, name: string, key: KeyObject): Promise<string> {
  return new SignJWT({ groups: ['dev', 'ops'] })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setIssuer(issuer)
    .setSubject(name)
    .setAudience('ilk')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key);
}
