import { once } from 'node:events';
import { Agent, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { makeCertificates } from '../../src/auth/index.ts';

/** A webhook that allows everything, in this process: what both sides of a comparison have to wait for. */
export async function startWebhookServer() {
  const { ca, server: own } = await makeCertificates(['127.0.0.1'], Date.now());
  let last = Buffer.alloc(0);
  const server = createServer({ cert: own.certPem, key: own.keyPem }, async (request, response) => {
    last = await buffer(request);
    const { uid } = JSON.parse(last.toString()).request;
    const answer = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid, allowed: true },
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  // Longer than the other side of a comparison takes.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true, ca: ca.certPem });
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, // It listens on a port.
    caBundle: Buffer.from(ca.certPem).toString('base64'),
    agent,
    lastRequest: () => last,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}
