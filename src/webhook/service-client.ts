import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJson, encodeJson } from '../codec/index.ts';
import { isObject, type JsonObject, limits, listenForAbort } from '../meta/index.ts';
import { checkServerName } from './check-server-name.ts';
import type { RemoteService } from './service-kubeconfig.ts';
import { WebhookError } from './webhook-error.ts';

interface ServiceClientOptions {
  /** The timeout of a call, including its retries. */
  readonly timeoutMs: number;
  /** The delays between attempts, upstream's by default; the number of attempts is one more. */
  readonly retryMs?: readonly number[];
}

/** Upstream's: 500 ms, multiplied by 1.5 each time. */
const usualRetryMs = [500, 750, 1_125, 1_688];

/**
 * Posts JSON to the server of a kubeconfig. Calls are retried if the server is unreachable or busy. Redirects are not
 * followed. Source: apiserver, util/webhook.
 */
export class ServiceClient {
  readonly #service: RemoteService;
  readonly #options: ServiceClientOptions;
  readonly #agent: Agent;
  readonly #stop = new AbortController();

  constructor(service: RemoteService, options: ServiceClientOptions) {
    this.#service = service;
    this.#options = options;
    const { caPem: ca, certPem: cert, keyPem: key, serverName: servername } = service;
    this.#agent = new Agent({
      keepAlive: true,
      checkServerIdentity: checkServerName,
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(servername !== undefined && { servername }),
    });
  }

  /** The response, if its status is below 300. @throws {WebhookError} otherwise */
  async post(document: JsonObject): Promise<JsonObject> {
    const over = new AbortController();
    listenForAbort(this.#stop.signal, () => over.abort(), over.signal);
    // Not with the signal of the client: each call would leave an entry on it.
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(this.#options.timeoutMs)]);
    try {
      return await this.#retried(Buffer.from(encodeJson(document)), signal);
    } finally {
      over.abort();
    }
  }

  async #retried(body: Buffer, signal: AbortSignal): Promise<JsonObject> {
    const waits = this.#options.retryMs ?? usualRetryMs;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(body, signal);
      if ('answer' in outcome) return outcome.answer;
      const wait = waits[attempt];
      if (!outcome.again || wait === undefined || signal.aborted) throw outcome.error;
      await sleep(wait, undefined, { signal }).catch(() => {});
    }
  }

  close(): void {
    this.#stop.abort();
    this.#agent.destroy();
  }

  async #attempt(body: Buffer, signal: AbortSignal): Promise<Outcome> {
    try {
      const { code, text } = await this.#send(body, signal);
      if (code < 300) return { answer: readAnswer(this.#service.url, text) };
      const error = new WebhookError(`Post "${this.#service.url}": the server answered ${code}`);
      return { again: code === 429 || code >= 500, error };
    } catch (error) {
      if (error instanceof WebhookError) return { again: false, error };
      const why = signal.aborted
        ? 'no answer in time'
        : error instanceof Error
          ? error.message
          : String(error);
      return { again: true, error: new WebhookError(`Post "${this.#service.url}": ${why}`) };
    }
  }

  #send(body: Buffer, signal: AbortSignal): Promise<{ code: number; text: Buffer }> {
    const { url, token } = this.#service;
    return new Promise((resolve, reject) => {
      const headers = {
        accept: 'application/json',
        'content-type': 'application/json',
        'content-length': body.byteLength,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      const sent = request(url, { method: 'POST', agent: this.#agent, signal, headers }, (answer) => {
        const pieces: Buffer[] = [];
        let bytes = 0;
        answer.on('data', (piece: Buffer) => {
          bytes += piece.length;
          pieces.push(piece);
          if (bytes > limits.reviewResponseBytesMax)
            answer.destroy(new WebhookError(`Post "${url}": the answer is too large`));
        });
        answer.on('error', reject);
        answer.on('end', () => resolve({ code: answer.statusCode ?? 0, text: Buffer.concat(pieces) }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

type Outcome = { readonly answer: JsonObject } | { readonly again: boolean; readonly error: WebhookError };

/** An audit backend may respond with an empty body. */
function readAnswer(url: string, text: Buffer): JsonObject {
  if (text.length === 0) return {};
  try {
    const { value } = decodeJson(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new WebhookError(`Post "${url}": the answer is no JSON object`);
}
