import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KeyPair, makeCertificates } from '../../src/auth/index.ts';
import { decodeJson, encodeJson } from '../../src/codec/index.ts';
import { isObject, type JsonObject, type JsonValue, ownList, ownString } from '../../src/meta/index.ts';

/** How a webhook answers one call; the body has been read. */
export type Answer = (body: Buffer, response: ServerResponse, request: IncomingMessage) => unknown;

/** What a webhook was asked. */
interface Asked {
  readonly apiVersion: string;
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly JsonObject[];
}

/** A webhook over TLS that does what a test wants. */
export class WebhookServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #ca: KeyPair;
  readonly certificate: KeyPair;
  /** Everything it was asked, in order. */
  readonly asked: Asked[] = [];
  answer: Answer;

  private constructor(server: Server, pairs: { ca: KeyPair; server: KeyPair }, answer: Answer) {
    this.#server = server;
    this.#ca = pairs.ca;
    this.certificate = pairs.server;
    this.answer = answer;
  }

  /** Starts one whose certificate is good for the hosts. */
  static async start(
    answer: Answer,
    hosts: readonly string[] = ['127.0.0.1', 'localhost'],
  ): Promise<WebhookServer> {
    const pairs = await makeCertificates(hosts, Date.now());
    const server = createServer({ cert: pairs.server.certPem, key: pairs.server.keyPem });
    const webhook = new WebhookServer(server, pairs, answer);
    server.on('request', (request, response) => void webhook.#handle(request, response));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return webhook;
  }

  get port(): number {
    // A server that listens on a port has an address with one, not the name of a pipe.
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}/convert`;
  }

  get caPem(): string {
    return this.#ca.certPem;
  }

  /** `clientConfig` of a CRD. */
  get clientConfig(): JsonObject {
    return { url: this.url, caBundle: Buffer.from(this.caPem).toString('base64') };
  }

  /** How many objects it was asked for since the last look, by the call. */
  takeCalls(): number[] {
    return this.asked.splice(0).map(({ objects }) => objects.length);
  }

  /** Closes what is kept open for further calls. */
  dropIdleConnections(): void {
    this.#server.closeIdleConnections();
  }

  /** How many connections are open. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    this.asked.push(askedIn(body));
    await this.answer(body, response, request);
  }
}

function askedIn(body: Buffer): Asked {
  const review = objectOf(decodeJson(body).value);
  const request = objectOf(review['request'] ?? null);
  return {
    apiVersion: ownString(review, 'apiVersion') ?? '',
    uid: ownString(request, 'uid') ?? '',
    desiredAPIVersion: ownString(request, 'desiredAPIVersion') ?? '',
    objects: (ownList(request, 'objects') ?? []).map(objectOf),
  };
}

function objectOf(value: JsonValue): JsonObject {
  return isObject(value) ? value : {};
}

/** Converts one object; what it throws is the message of a refusal. */
export type ConvertObject = (object: JsonObject, desiredAPIVersion: string) => JsonObject;

/** A review that is answered as it should be, but for what a test changes. */
export function converting(
  convert: ConvertObject,
  change: (review: JsonObject, response: JsonObject) => void = () => {},
): Answer {
  return (body, response) => {
    const { apiVersion, uid, desiredAPIVersion, objects } = askedIn(body);
    const answer: JsonObject = { uid, convertedObjects: null, result: { status: 'Success' } };
    try {
      answer['convertedObjects'] = objects.map((object) => convert(object, desiredAPIVersion));
    } catch (error) {
      answer['result'] = {
        status: 'Failure',
        message: error instanceof Error ? error.message : String(error),
      };
    }
    const review: JsonObject = { apiVersion, kind: 'ConversionReview', response: answer };
    change(review, answer);
    send(response, 200, 'application/json', encodeJson(review));
  };
}

/** An answer with nothing but these bytes. */
export function saying(code: number, contentType: string, text: string, headers: JsonObject = {}): Answer {
  return (_, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
    send(response, code, contentType, Buffer.from(text));
  };
}

function send(response: ServerResponse, code: number, contentType: string, body: Uint8Array): void {
  response.statusCode = code;
  if (contentType !== '') response.setHeader('content-type', contentType);
  response.end(body);
}

/** Only the version changes. */
export const renamed: ConvertObject = (object, apiVersion) => ({ ...object, apiVersion });
