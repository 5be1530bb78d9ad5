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
  /** The timeout of a call, including the response body. */
  readonly timeoutMs: number;
  /** The maximum response size; a larger response fails the call. */
  readonly responseBytesMax: number;
  /** The maximum number of connections; further calls wait. */
  readonly connectionsMax: number;
  /** The message for a timeout; Go's HTTP client has several. */
  readonly timeIsUpText?: string;
}

/** An HTTP response. */
export interface WebhookResponse {
  readonly code: number;
  /** Empty if the server named none. */
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * Calls one webhook over HTTPS with keep-alive connections. Only the CAs of its configuration are trusted. It follows
 * no redirects, uses no proxy and sends no credentials: a user who can configure a webhook's address must not gain more
 * than this connection. Source of the messages: apiserver, pkg/util/webhook, and client-go.
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
      // As in Go, the bundle may contain the webhook's own certificate instead of its CA.
      allowPartialTrustChain: true,
      checkServerIdentity: (_, certificate) => checkServerName(serverName, certificate),
      ...(config.caPem === '' ? {} : { ca: config.caPem }),
    });
  }

  /**
   * Posts a JSON document. Returns any response unchanged, including errors.
   *
   * @param signal aborts the call
   * @throws {WebhookError} if there is no response in time and within the size limit
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

  /** Lets running calls finish, then closes the connections: another client has replaced this one. */
  retire(): void {
    this.#retired = true;
    if (this.#calls.size === 0) this.#agent.destroy();
  }

  /** Aborts running calls. */
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

  /** The response head. */
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

  /** As messages print it. */
  get shownUrl(): string {
    return `https://${this.#endpoint.shownHost}${this.#endpoint.path}${this.#query}`;
  }

  /** The timeout is sent to the webhook. */
  get #query(): string {
    return `?timeout=${goDuration(this.#options.timeoutMs)}`;
  }
}

/** The webhook closed a keep-alive connection while it was reused; it has not seen the call. */
class IdleConnectionError extends Error {}

/** Only names: SNI does not allow addresses. */
function serverNameIndication(serverName: string): string {
  return /^[\d.]+$|:/.test(serverName) ? '' : serverName;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** A running call that can be aborted; cheaper than an AbortSignal of Node's requests. */
class Call {
  #request: ClientRequest | undefined;
  /** Why it was aborted; undefined while it runs. */
  reason: Error | undefined;

  /** Its HTTP request. */
  of(request: ClientRequest): void {
    this.#request = request;
  }

  end(reason: Error): void {
    this.reason ??= reason;
    this.#request?.destroy(reason);
  }
}

/** @throws {TooLargeError}, or an error if the response ends early */
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
