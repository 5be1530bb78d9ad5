import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { goDuration, timerDelayMs, type WebhookClientConfig } from '../meta/index.ts';
import { checkServerName } from './check-server-name.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';
import type { ServiceMap } from './service-map.ts';
import { bodyText, TimeIsUpError, TooLargeError, transportText } from './transport-text.ts';
import { WebhookError } from './webhook-error.ts';

export interface WebhookClientOptions {
  readonly services: ServiceMap;
  /** A call that takes longer fails, its answer's body included. */
  readonly timeoutMs: number;
  /** An answer that is larger is cut off, and the call fails. */
  readonly responseBytesMax: number;
  /** Connections at once; further calls wait for one. */
  readonly connectionsMax: number;
  /** What is said where time is up; Go's HTTP client has words of its own for that. */
  readonly timeIsUpText?: string;
}

/** What came back. */
export interface WebhookResponse {
  readonly code: number;
  /** Empty where the server named none. */
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * Calls one webhook: HTTPS with the certificates of its configuration and nothing else, over connections that are kept.
 * It follows no redirects, asks no proxy and sends no credentials: whoever may write a webhook's address decides where
 * this process connects to, and must not decide more. Source of the texts: apiserver, pkg/util/webhook, and client-go.
 */
export class WebhookClient {
  readonly #endpoint: Endpoint;
  readonly #options: WebhookClientOptions;
  readonly #agent: Agent;
  readonly #calls = new Set<Call>();
  #retired = false;

  constructor(config: WebhookClientConfig, options: WebhookClientOptions) {
    this.#options = options;
    this.#endpoint = endpointOf(config, options.services);
    const { serverName } = this.#endpoint;
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: options.connectionsMax,
      // The bundle may hold the webhook's own certificate, as Go takes it, and not only its authority's.
      allowPartialTrustChain: true,
      checkServerIdentity: (_, certificate) => checkServerName(serverName, certificate),
      ...(config.caPem === '' ? {} : { ca: config.caPem }),
    });
  }

  /**
   * Posts a JSON document. Whatever the webhook answers, a refusal too, is given back as it came.
   *
   * @param signal ends the call
   * @throws {WebhookError} where nobody answers, in time and with so much as fits
   */
  async post(document: Uint8Array, signal?: AbortSignal): Promise<WebhookResponse> {
    const call = new Call();
    const { timeoutMs, timeIsUpText } = this.#options;
    const timer = setTimeout(() => call.end(new TimeIsUpError(timeIsUpText)), timerDelayMs(timeoutMs));
    const cancel = () => call.end(new Error('context canceled'));
    if (signal?.aborted === true) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    this.#calls.add(call);
    try {
      const message = await this.#send(document, call);
      return await this.#receive(message, call);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      this.#calls.delete(call);
      if (this.#retired && this.#calls.size === 0) this.#agent.destroy();
    }
  }

  /** Lets the calls under way finish and then goes of the connections: another client has taken over. */
  retire(): void {
    this.#retired = true;
    if (this.#calls.size === 0) this.#agent.destroy();
  }

  /** Ends the calls under way. */
  close(): void {
    this.#retired = true;
    for (const call of this.#calls) call.end(new Error('the server is shutting down'));
    this.#agent.destroy();
  }

  async #send(document: Uint8Array, call: Call): Promise<IncomingMessage> {
    try {
      return await this.#attempt(document, call);
    } catch (error) {
      if (error instanceof IdleConnectionError && call.reason === undefined)
        return this.#send(document, call);
      throw new WebhookError(`Post "${this.shownUrl}": ${transportText(asError(error))}`);
    }
  }

  /** The head of the answer. */
  #attempt(document: Uint8Array, call: Call): Promise<IncomingMessage> {
    const { connectTo, path, serverName, shownHost } = this.#endpoint;
    if (connectTo instanceof WebhookError) throw connectTo;
    if (call.reason !== undefined) throw call.reason;
    return new Promise((resolve, reject) => {
      const request = httpsRequest({
        method: 'POST',
        host: connectTo.host,
        port: connectTo.port,
        path: `${path}${this.#query}`,
        servername: serverNameIndication(serverName),
        agent: this.#agent,
        headers: {
          host: shownHost,
          accept: 'application/json, */*',
          'content-type': 'application/json',
          'content-length': document.byteLength,
          'user-agent': 'kube-apiserver-admission',
        },
      });
      call.of(request);
      request.on('response', resolve);
      request.on('error', (error) => {
        const closedWhileIdle = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
        reject(call.reason ?? (closedWhileIdle ? new IdleConnectionError() : error));
      });
      request.end(document);
    });
  }

  async #receive(message: IncomingMessage, call: Call): Promise<WebhookResponse> {
    const { responseBytesMax } = this.#options;
    try {
      const body = await bodyOf(message, responseBytesMax);
      const { statusCode: code = 0, headers } = message;
      return { code, contentType: headers['content-type'] ?? '', body };
    } catch (error) {
      message.destroy();
      throw new WebhookError(bodyText(call.reason ?? asError(error)));
    }
  }

  /** As texts name it. */
  get shownUrl(): string {
    return `https://${this.#endpoint.shownHost}${this.#endpoint.path}${this.#query}`;
  }

  /** Webhooks are told how long they have. */
  get #query(): string {
    return `?timeout=${goDuration(this.#options.timeoutMs)}`;
  }
}

/** The webhook closed a kept connection just as it was used again: it saw nothing of the call. */
class IdleConnectionError extends Error {}

/** Names only: an address may not be named in the handshake. */
function serverNameIndication(serverName: string): string {
  return /^[\d.]+$|:/.test(serverName) ? '' : serverName;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** A call under way, which may be ended: cheaper than the signal that Node's requests take. */
class Call {
  #request: ClientRequest | undefined;
  /** Why it was ended; undefined as long as it goes on. */
  reason: Error | undefined;

  /** The request that it waits for. */
  of(request: ClientRequest): void {
    this.#request = request;
  }

  end(reason: Error): void {
    this.reason ??= reason;
    this.#request?.destroy(reason);
  }
}

/** @throws {TooLargeError} and where the answer ends early */
function bodyOf(message: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    message.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > bytesMax) reject(new TooLargeError(`the response is larger than ${bytesMax} bytes`));
      else pieces.push(piece);
    });
    message.on('end', () => resolve(Buffer.concat(pieces)));
    message.on('error', reject);
    const closed = () => {
      if (!message.complete) reject(new Error('aborted'));
    };
    message.on('close', closed);
    if (message.destroyed) closed();
  });
}
