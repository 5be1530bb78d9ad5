import { asJson } from './as-json.ts';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { makeCertificates } from '../auth/index.ts';
import { decodeJson, encodeJson } from '../codec/index.ts';
import {
  isObject,
  type JsonObject,
  type KubeObject,
  nameOf,
  ownList,
  ownObject,
  ownString,
} from '../meta/index.ts';

/**
 * Converts an object to another version: returns the converted object, or throws with the reason. The function owns
 * the object.
 */
export type Convert = (object: KubeObject, apiVersion: string) => object | Promise<object>;

/** Conversion functions by CRD name: `gardens.example.com`. */
export type Conversions = Readonly<Record<string, Convert>>;

const host = '127.0.0.1';

/**
 * The conversion webhook of a test process: HTTPS on a free port, for the server and its forks. It runs until the
 * last of them has closed, and does not keep the process alive.
 */
export class ConversionEndpoint {
  readonly #conversions: ReadonlyMap<string, Convert>;
  readonly #server: Server;
  readonly #caPem: string;
  #port = 0;
  #users = 0;

  private constructor(conversions: Conversions, pair: { caPem: string; cert: string; key: string }) {
    this.#conversions = new Map(Object.entries(conversions));
    this.#caPem = pair.caPem;
    this.#server = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(conversions: Conversions): Promise<ConversionEndpoint> {
    const { ca, server } = await makeCertificates([host], Date.now());
    const pair = { caPem: ca.certPem, cert: server.certPem, key: server.keyPem };
    return new ConversionEndpoint(conversions, pair);
  }

  /** Serves one more server; a fork of a snapshot may start when all others have closed. */
  async acquire(): Promise<void> {
    this.#users += 1;
    if (this.#users > 1) return;
    this.#server.listen(this.#port, host).unref();
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address !== null && typeof address === 'object') this.#port = address.port;
  }

  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** The CRD to install: with this webhook, if there is a function for it. */
  wired(crd: KubeObject): KubeObject {
    const spec = ownObject(crd, 'spec');
    if (spec === undefined || !this.#conversions.has(nameOf(crd))) return crd;
    const url = `https://${host}:${this.#port}/convert/${nameOf(crd)}`;
    const clientConfig = { url, caBundle: Buffer.from(this.#caPem).toString('base64') };
    const webhook = { clientConfig, conversionReviewVersions: ['v1'] };
    return { ...crd, spec: { ...spec, conversion: { strategy: 'Webhook', webhook } } };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , name = ''] = (request.url ?? '').split(/[/?]/);
    const convert = this.#conversions.get(name);
    const { value } = decodeJson(await buffer(request));
    const asked = isObject(value) ? (ownObject(value, 'request') ?? {}) : {};
    if (convert === undefined) return void response.writeHead(404).end();
    const review = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      response: { uid: ownString(asked, 'uid') ?? '', ...(await converted(asked, convert)) },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(encodeJson(review));
  }
}

async function converted(request: JsonObject, convert: Convert): Promise<JsonObject> {
  const apiVersion = ownString(request, 'desiredAPIVersion') ?? '';
  const objects = (ownList(request, 'objects') ?? []).filter(isObject);
  try {
    const results = await Promise.all(objects.map((object) => convert(object, apiVersion)));
    return { convertedObjects: results.map(asJson), result: { status: 'Success' } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { convertedObjects: [], result: { status: 'Failed', message } };
  }
}
