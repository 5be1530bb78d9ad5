import { type Auditor, type AuditTrail, objectNames } from '../../audit/index.ts';
import type { AuthorizationAttributes, AuthorizationDecision, Impersonation } from '../../auth/index.ts';
import { decodeJson, decodeProtobuf, decodeYaml } from '../../codec/index.ts';
import {
  type Clock,
  goDuration,
  internalError,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  own,
  type ServerLayer,
} from '../../meta/index.ts';
import { type FiniteBody, wholeUpTo } from '../body.ts';
import { type HttpRequest, type HttpResponse, isStream } from '../message.ts';
import { RecordedRequest } from './recorded-request.ts';

interface ExchangeFacts {
  readonly auditId: string;
  readonly receivedMs: number;
}

const noteworthyMs = 500;

/** Source: apiserver, endpoints/request/webhook_duration.go. */
const longestCounts: ReadonlySet<ServerLayer> = new Set([
  'authorization',
  'apf-queue-wait',
  'validating-webhook',
]);

/** The audit record of a request in progress. Without an auditor, nothing is recorded. */
export class AuditedExchange {
  readonly #auditor: Auditor | undefined;
  readonly #http: HttpRequest;
  readonly #facts: ExchangeFacts;
  #trail: AuditTrail | undefined;
  /** Milliseconds by part of the server. */
  readonly #layers = new Map<ServerLayer, number>();

  constructor(auditor: Auditor | undefined, http: HttpRequest, facts: ExchangeFacts) {
    this.#auditor = auditor;
    this.#http = http;
    this.#facts = facts;
  }

  /**
   * Starts after authentication; returns the request to continue with.
   *
   * @throws {StatusError} 500 if a blocking backend failed
   */
  received(attributes: AuthorizationAttributes): HttpRequest | Promise<HttpRequest> {
    const trail = this.#follow(attributes);
    if (trail === undefined) return this.#http;
    const written = trail.reach('RequestReceived');
    const recorded = this.#recorded(trail, attributes);
    if (written === true) return recorded;
    return Promise.resolve(written).then((isWritten) => {
      if (!isWritten) throw internalError('failed to store audit event');
      return recorded;
    });
  }

  #recorded(trail: AuditTrail, { verb }: AuthorizationAttributes): HttpRequest {
    return new RecordedRequest(this.#http, {
      annotate: (key, value) => trail.annotate(key, value),
      track: (layer, ms) => this.track(layer, ms),
      // The body names the object if the path does not.
      onObject:
        verb === 'create' ? (object) => trail.learn({ named: objectNames(object.metadata) }) : undefined,
      onBody: trail.keepsRequest
        ? (bytes) => trail.learn(bodyValue('request', this.#http.header('content-type'), bytes))
        : undefined,
    });
  }

  /** Runs a step, and records its duration. */
  timed<T>(
    step: () => T | Promise<T>,
    { layer, clock }: { readonly layer: ServerLayer; readonly clock: Clock },
  ): T | Promise<T> {
    const startedMs = clock.now();
    const done = () => {
      const ms = clock.now() - startedMs;
      if (ms > 0) this.track(layer, ms);
    };
    try {
      const result = step();
      if (result instanceof Promise) return result.finally(done);
      done();
      return result;
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Records the duration of a part of the server. Of concurrent calls, the longest counts. */
  track(layer: ServerLayer, ms: number): void {
    const before = this.#layers.get(layer) ?? 0;
    this.#layers.set(layer, longestCounts.has(layer) ? Math.max(before, ms) : before + ms);
  }

  /** Authentication failed. Source: apiserver, endpoints/filters/authn_audit.go. */
  async unauthenticated(attributes: Omit<AuthorizationAttributes, 'user'>): Promise<void> {
    const trail = this.#follow({ ...attributes, user: undefined });
    const message = 'Authentication failed, attempted: x509, bearer';
    trail?.learn({ status: { metadata: {}, status: 'Failure', message, reason: 'Unauthorized', code: 401 } });
    await trail?.reach('ResponseStarted');
    this.#trail = undefined;
  }

  impersonates({ user, constraint }: Impersonation): void {
    this.#trail?.learn({ impersonated: user, ...(constraint !== '' && { constraint }) });
  }

  decided({ verdict, reason }: AuthorizationDecision): void {
    this.#trail?.annotate('authorization.k8s.io/decision', verdict === 'allow' ? 'allow' : 'forbid');
    this.#trail?.annotate('authorization.k8s.io/reason', reason);
  }

  /** An unexpected error, which is not a refusal. */
  async panicked(): Promise<void> {
    const trail = this.#trail;
    this.#trail = undefined;
    const status = { metadata: {}, status: 'Failure', reason: 'InternalError', code: 500 };
    trail?.learn({ status });
    await trail?.reach('Panic');
  }

  /** Records the response when it is complete; a stream when it starts and when it ends. */
  answered(response: HttpResponse): HttpResponse | Promise<HttpResponse> {
    const trail = this.#trail;
    if (trail === undefined) return response;
    const { body } = response;
    trail.learn({ code: response.status });
    if (!isStream(body)) {
      this.#readAnswer(trail, response, body);
      this.#noteLatency(trail);
      return afterWrite(trail.reach('ResponseComplete'), response);
    }
    const observed = { ...response, body: withEnd(body, () => void trail.reach('ResponseComplete')) };
    return afterWrite(trail.reach('ResponseStarted'), observed);
  }

  /** Source: apiserver, endpoints/filters/audit.go, writeLatencyToAnnotation. */
  #noteLatency(trail: AuditTrail): void {
    const totalMs = trail.ageMs();
    if (totalMs <= noteworthyMs) return;
    for (const [layer, ms] of [...this.#layers, ['total', totalMs] as const]) {
      const wholeMs = Math.round(ms);
      if (wholeMs > 0) trail.annotate(`apiserver.latency.k8s.io/${layer}`, goDuration(wholeMs));
    }
  }

  #follow(attributes: Parameters<Auditor['follow']>[1]): AuditTrail | undefined {
    const http = this.#http;
    this.#trail = this.#auditor?.follow(
      {
        ...this.#facts,
        requestUri:
          http.search === undefined || http.search === '' ? http.path : `${http.path}?${http.search}`,
        sourceIps: sourceIps(http),
        userAgent: http.header('user-agent') ?? '',
      },
      attributes,
    );
    return this.#trail;
  }

  /** Refusals, and responses to DELETE, are a Status. */
  #readAnswer(trail: AuditTrail, { status, headers }: HttpResponse, body: FiniteBody): void {
    if (!trail.keepsResponse && status < 400 && this.#http.method !== 'DELETE') return;
    const type = headers['content-type'];
    const bytes = wholeUpTo(body, limits.auditObjectBytesMax);
    if (bytes === undefined) return trail.annotate('audit.k8s.io/truncated', 'true');
    const { response } = bodyValue('response', typeof type === 'string' ? type : '', bytes);
    if (response === undefined) return;
    if (isObject(response) && own(response, 'kind') === 'Status') trail.learn({ status: statusOf(response) });
    trail.learn({ response });
  }
}

function afterWrite(
  written: boolean | Promise<boolean>,
  response: HttpResponse,
): HttpResponse | Promise<HttpResponse> {
  return written instanceof Promise ? written.then(() => response) : response;
}

/** The fields with bounded length. */
function statusOf(status: JsonObject): JsonObject {
  const kept = ['status', 'message', 'reason', 'details', 'code'].flatMap((key) => {
    const value = own(status, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { metadata: {}, ...Object.fromEntries(kept) };
}

/** A body as JSON; undefined if it cannot be parsed or is not an object. */
function bodyValue<Key extends 'request' | 'response'>(
  key: Key,
  contentType: string | undefined,
  bytes: Uint8Array,
): { readonly [K in Key]?: JsonValue } {
  if (bytes.length === 0) return {};
  try {
    const value = decoded(contentType ?? '', bytes);
    return typeof value === 'object' ? ({ [key]: value } as { [K in Key]: JsonValue }) : {};
  } catch {
    return {};
  }
}

function decoded(contentType: string, bytes: Uint8Array): JsonValue {
  if (contentType.includes('protobuf')) return decodeProtobuf(bytes);
  if (contentType.includes('yaml')) return decodeYaml(bytes).value;
  return decodeJson(bytes).value;
}

/** Source: apimachinery, util/net, SourceIPs. */
function sourceIps(http: HttpRequest): string[] {
  const [forwarded, real, remote] = [
    http.header('x-forwarded-for'),
    http.header('x-real-ip')?.trim() ?? '',
    http.remoteAddress ?? '',
  ];
  // Most requests come directly, or from inside the process.
  if (forwarded === undefined && real === '') return remote === '' ? [] : [remote.replace('::ffff:', '')];
  const all = [...(forwarded?.split(',').map((one) => one.trim()) ?? []), real, remote];
  return [...new Set(all.map((one) => one.replace(/^::ffff:/, '')))].filter((one) => isAddress.test(one));
}

const isAddress = /^[0-9a-fA-F.:]{2,45}$/;

function withEnd(body: AsyncIterable<Uint8Array>, onEnd: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const source = body[Symbol.asyncIterator]();
      let ended = false;
      const end = () => {
        if (!ended) onEnd();
        ended = true;
      };
      return {
        async next() {
          try {
            const result = await source.next();
            if (result.done === true) end();
            return result;
          } catch (error) {
            end();
            throw error;
          }
        },
        async return() {
          end();
          return (await source.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}
