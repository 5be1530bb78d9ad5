import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { makeCertificates } from '../../src/auth/index.ts';
import type { JsonObject, KubeObject } from '../../src/meta/index.ts';

/** The request of an AdmissionReview, as a webhook reads it. */
export interface ReviewRequest extends JsonObject {
  uid: string;
  operation: string;
  name: string;
  object: KubeObject;
  oldObject: KubeObject;
}

type Hook = (request: ReviewRequest, http: { path: string }) => object;

export const allow = () => ({ allowed: true });

/** A response that changes the object. */
export function patch(...operations: object[]): object {
  const encoded = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch: encoded };
}

/** Webhooks over TLS, by path. */
export class WebhookServer {
  readonly #hooks = new Map<string, Hook>();
  readonly #raw = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  /** Every path that was asked, in order. */
  readonly asked: string[] = [];
  #server: ReturnType<typeof createServer> | undefined;
  #ca = '';

  static async start(): Promise<WebhookServer> {
    const webhooks = new WebhookServer();
    const { ca, server } = await makeCertificates(['127.0.0.1'], Date.now());
    webhooks.#ca = Buffer.from(ca.certPem).toString('base64');
    webhooks.#server = createServer({ cert: server.certPem, key: server.keyPem }, (request, response) => {
      webhooks.#answer(request, response).catch(() => response.destroy());
    });
    webhooks.#server.listen(0, '127.0.0.1');
    await once(webhooks.#server, 'listening');
    return webhooks;
  }

  /** What answers at a path, as a response without uid. */
  on(path: string, hook: Hook): void {
    this.#hooks.set(path, hook);
  }

  /** What answers at a path, in any way it likes. */
  raw(path: string, answer: (request: IncomingMessage, response: ServerResponse) => void): void {
    this.#raw.set(path, answer);
  }

  get port(): number {
    const address = this.#server?.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  /** A webhook of a configuration that asks at a path about everything of example.com. */
  hook(path: string, more: object = {}): object {
    return {
      name: `${path}.example.com`,
      clientConfig: { url: `https://127.0.0.1:${this.port}/${path}`, caBundle: this.#ca },
      rules: [{ operations: ['*'], apiGroups: ['example.com'], apiVersions: ['*'], resources: ['*/*'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 5,
      ...more,
    };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').slice(1).split('?');
    this.asked.push(path);
    const raw = this.#raw.get(path);
    if (raw !== undefined) return raw(request, response);
    const { request: review, apiVersion } = JSON.parse((await buffer(request)).toString());
    const answer = this.#hooks.get(path)?.(review, { path: request.url ?? '' });
    if (answer === undefined) return void response.writeHead(404).end();
    const body = { apiVersion, kind: 'AdmissionReview', response: { uid: review.uid, ...answer } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}
