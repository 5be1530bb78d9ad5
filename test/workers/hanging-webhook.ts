import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificates } from '../../src/auth/index.ts';

/** An admission webhook that answers when a test says so. */
export class HangingWebhook {
  readonly #server: Server;
  readonly #caPem: string;
  readonly #held: (() => void)[] = [];
  #isOpen = false;

  private constructor(server: Server, caPem: string) {
    this.#server = server;
    this.#caPem = caPem;
    server.on('request', (request, response) => void this.#take(request, response));
  }

  static async open(): Promise<HangingWebhook> {
    const { ca, server } = await makeCertificates(['127.0.0.1'], Date.now());
    const listener = createServer({ cert: server.certPem, key: server.keyPem });
    const webhook = new HangingWebhook(listener, ca.certPem);
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    return webhook;
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.#held.length;
  }

  /** Answers the calls that wait, and all further ones. */
  answer(): void {
    this.#isOpen = true;
    for (const go of this.#held.splice(0)) go();
  }

  /** A configuration for creates of a resource of the core group. */
  configuration(resource: string): object {
    const address = this.#server.address() as AddressInfo;
    return {
      metadata: { name: 'hanging' },
      webhooks: [
        {
          name: 'hanging.example.com',
          clientConfig: {
            url: `https://127.0.0.1:${address.port}/`,
            caBundle: Buffer.from(this.#caPem).toString('base64'),
          },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: [resource], operations: ['CREATE'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          timeoutSeconds: 30,
        },
      ],
    };
  }

  async close(): Promise<void> {
    this.answer();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const piece of request) text += piece;
    const { apiVersion, kind, request: asked } = JSON.parse(text);
    const go = () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, allowed: true } }));
    };
    if (this.#isOpen) go();
    else this.#held.push(go);
  }
}
