import { once } from 'node:events';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  backdateMs,
  type Certificates,
  makeCertificates,
  makeClientPair,
} from '../../src/auth/certificates/certificates.ts';
import { type HttpRequest, type Listening, listen } from '../../src/http/index.ts';

let certificates: Certificates;
let listening: Listening;
beforeAll(async () => {
  certificates = await makeCertificates(['127.0.0.1'], Date.now());
  const { server, ca } = certificates;
  const handle = async ({ certificate }: HttpRequest) => ({
    status: 200,
    headers: {},
    body: Buffer.from(certificate?.fault ?? 'verified'),
  });
  const tls = { cert: server.certPem, key: server.keyPem, clientCa: ca.certPem };
  listening = await listen({ handle }, { host: '127.0.0.1', port: 0, tls });
});
afterAll(() => listening.close());

async function clientValidFrom(ms: number): Promise<SecureContext> {
  const client = { name: 'alice', groups: [], nowMs: ms + backdateMs, lifetimeMs: 3_600_000 };
  const { certPem: cert, keyPem: key } = await makeClientPair(certificates.ca, client);
  return createSecureContext({ cert, key });
}

async function answerTo(secureContext: SecureContext): Promise<string> {
  const to = { host: '127.0.0.1', port: listening.port, secureContext, rejectUnauthorized: false };
  const socket: TLSSocket = connect(to);
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(socket, 'end');
  socket.destroy();
  return text.slice(text.indexOf('\r\n\r\n') + 4);
}

test('a client certificate is valid from the first millisecond of the second that it names', async () => {
  // Code that runs for the first time would take longer than OpenSSL's clock is late.
  const warm = await clientValidFrom(Date.now());
  for (let index = 0; index < 10; index += 1) expect(await answerTo(warm)).toBe('verified');
  const second = Math.ceil(Date.now() / 1000 + 0.05) * 1000;
  const client = await clientValidFrom(second);
  while (Date.now() < second) {
    // A timer would fire milliseconds later, when OpenSSL's clock has caught up.
  }
  expect(await answerTo(client)).toBe('verified');
});
