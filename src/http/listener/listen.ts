import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { gzip } from 'node:zlib';
import type { ClientCertificate } from '../../auth/index.ts';
import { badRequestError, invariant, limits, requestTooLargeError } from '../../meta/index.ts';
import { ConnectionDropped } from '../filter.ts';
import { Intake } from './intake.ts';
import { type HttpRequest, type HttpResponse, isStream, type RequestHandler } from '../message.ts';

/** Where a server listens and what it shows. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Undefined serves plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string; readonly clientCa: string } | undefined;
}

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Takes no new connections, ends those that idle, and waits for the rest; watches must be ended by the caller. */
  close(): Promise<void>;
}

type NodeRequest = IncomingMessage | Http2ServerRequest;
type NodeResponse = ServerResponse | Http2ServerResponse;

/** Watches of one client may share a connection: so many at once. */
const concurrentStreamsMax = 1_000;

/**
 * Node ends a session with ENHANCE_YOUR_CALM where more waits to be sent: by default 10 MiB, less than one large list.
 * What may wait is bounded for each stream, not here.
 */
const sessionMemoryMiBMax = 4_096;

/**
 * Opens a port for a handler: HTTP/2 and HTTP/1.1 over TLS, or plain HTTP/1.1.
 *
 * @throws the system's error for a port that is in use
 */
export async function listen(handler: RequestHandler, options: ListenOptions): Promise<Listening> {
  const connections = new Connections();
  const intake = new Intake();
  const onRequest = (request: NodeRequest, response: NodeResponse) =>
    void serve({ handler, connections, intake }, request, response);
  const server =
    options.tls === undefined
      ? createPlainServer({ maxHeaderSize: limits.requestHeadBytesMax }, onRequest)
      : secureServer(options.tls, onRequest);
  connections.track(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: addressOf(server).port, close: () => closeServer(server, connections) };
}

function secureServer(
  tls: NonNullable<ListenOptions['tls']>,
  onRequest: (request: NodeRequest, response: NodeResponse) => void,
): Http2SecureServer {
  const server = createSecureServer(
    {
      allowHTTP1: true,
      cert: tls.cert,
      key: tls.key,
      ca: tls.clientCa,
      requestCert: true,
      rejectUnauthorized: false,
      settings: {
        maxConcurrentStreams: concurrentStreamsMax,
        maxHeaderListSize: limits.requestHeadBytesMax,
      },
      maxSessionMemory: sessionMemoryMiBMax,
    },
    onRequest,
  );
  server.on('secureConnection', readThroughStream);
  // Node's parser of HTTP/1.1 reads it from its server; the options of this kind of server do not pass it on.
  return Object.assign(server, { maxHeaderSize: limits.requestHeadBytesMax });
}

/**
 * Makes Node's parser of HTTP/1.1 read from the stream of a TLS socket instead of from below it. There it cannot be
 * paused: TLS hands over all records of a segment, also those after the one at which the parser was paused because
 * an answer had not drained, and the parser fails with HPE_PAUSED. So it is in Node 20, 22 and 24. A listener for
 * `data` makes Node take the way through the stream, which keeps what comes while it is paused.
 */
function readThroughStream(socket: TLSSocket): void {
  if (socket.alpnProtocol !== 'h2') socket.on('data', ignore);
}

function addressOf(server: Server | Http2SecureServer): AddressInfo {
  const address = server.address();
  invariant(address !== null && typeof address === 'object', 'a server that listens has an address');
  return address;
}

/** What is open: sockets, HTTP/2 sessions, and the answers under way on them. */
class Connections {
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #certificates = new WeakMap<object, ClientCertificate | 'none'>();
  #answering = 0;
  #onIdle: () => void = () => {};

  track(server: Server | Http2SecureServer): void {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    if (!('setTimeout' in server && 'updateSettings' in server)) return;
    server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
  }

  begin(): void {
    this.#answering += 1;
  }

  end(): void {
    this.#answering -= 1;
    if (this.#answering === 0) this.#onIdle();
  }

  /** The verified client certificate of a connection, read once for all its requests. */
  certificate(socket: object): ClientCertificate | undefined {
    const known = this.#certificates.get(socket);
    if (known !== undefined) return known === 'none' ? undefined : known;
    const found = readCertificate(socket);
    this.#certificates.set(socket, found ?? 'none');
    return found;
  }

  /**
   * Waits for the answers under way, for a while, then ends whatever is open. A session of HTTP/2 is closed once the
   * last frames of its streams are written; its socket must live until then.
   */
  async drain(): Promise<void> {
    const closed = [...this.#sessions].map((session) => {
      const { promise, resolve } = resolvable();
      session.once('close', resolve);
      session.close();
      return promise;
    });
    const idle = resolvable();
    this.#onIdle = idle.resolve;
    if (this.#answering === 0) idle.resolve();
    const late = resolvable();
    const timer = setTimeout(late.resolve, drainMsMax);
    await Promise.race([late.promise, Promise.all([idle.promise, ...closed])]);
    clearTimeout(timer);
    for (const socket of this.#sockets) socket.destroy();
  }
}

function resolvable(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((onResolve) => {
    resolve = onResolve;
  });
  return { promise, resolve };
}

/** How long answers under way may take once the server closes. */
const drainMsMax = 2_000;

async function closeServer(server: Server | Http2SecureServer, connections: Connections): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await connections.drain();
  await closed;
}

async function serve(
  { handler, connections, intake }: { handler: RequestHandler; connections: Connections; intake: Intake },
  request: NodeRequest,
  response: NodeResponse,
): Promise<void> {
  // What goes wrong with a connection shows as its close; without a listener it would end the process.
  request.on('error', ignore);
  response.on('error', ignore);
  connections.begin();
  try {
    // Before anything is awaited: a stream that is closed meanwhile has no socket any more.
    const certificate = connections.certificate(request.socket);
    await intake.turn();
    if (response.destroyed) return;
    const answer = await handler.handle(new NodeHttpRequest({ request, response, certificate }));
    await send(answer, request, response);
  } catch (error) {
    if (!(error instanceof ConnectionDropped)) throw error;
    response.destroy();
  } finally {
    connections.end();
  }
}

function ignore(): void {}

/** A request as Node's servers give it; what most handlers never ask for is made when they do. */
class NodeHttpRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly certificate: ClientCertificate | undefined;
  readonly #request: NodeRequest;
  readonly #response: NodeResponse;
  readonly #search: string;
  #query: URLSearchParams | undefined;
  #gone: AbortController | undefined;
  #body: Promise<Uint8Array> | undefined;

  constructor(parts: {
    request: NodeRequest;
    response: NodeResponse;
    certificate: ClientCertificate | undefined;
  }) {
    this.#request = parts.request;
    this.#response = parts.response;
    this.certificate = parts.certificate;
    this.method = parts.request.method ?? 'GET';
    const url = parts.request.url ?? '/';
    const mark = url.indexOf('?');
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.#search = mark === -1 ? '' : url.slice(mark + 1);
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search);
    return this.#query;
  }

  get signal(): AbortSignal {
    if (this.#gone === undefined) {
      const gone = new AbortController();
      if (this.#response.destroyed) gone.abort();
      else this.#response.once('close', () => gone.abort());
      this.#gone = gone;
    }
    return this.#gone.signal;
  }

  header(name: string): string | undefined {
    return headerText(this.#request.headers[name]);
  }

  body(): Promise<Uint8Array> {
    this.#body ??= readBody(this.#request);
    return this.#body;
  }
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Reads a body up to the limit; what is longer is not kept. */
function readBody(request: NodeRequest): Promise<Uint8Array> {
  const max = limits.requestBodyBytesMax;
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const gone = () => reject(badRequestError('the client went away before its body was read'));
    // Whoever has gone already will not be told of again.
    if (request.destroyed) return gone();
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= max) chunks.push(chunk);
      else reject(requestTooLargeError(`limit is ${max}`));
    });
    request.on('end', () => resolve(joinedBody(chunks)));
    request.on('close', () => {
      if (!request.readableEnded) gone();
    });
  });
}

function joinedBody(chunks: readonly Buffer[]): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

function readCertificate(socket: object): ClientCertificate | undefined {
  if (!('getPeerCertificate' in socket)) return undefined;
  // HTTP/2 hands out a proxy of the TLS socket, which is no instance of it.
  const tls = socket as TLSSocket;
  if (!tls.authorized) return undefined;
  const { subject } = tls.getPeerCertificate();
  const organizations: string | string[] | undefined = subject?.O;
  return {
    commonName: firstText(subject?.CN),
    organizations: organizations === undefined ? [] : [organizations].flat(),
  };
}

function firstText(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** HTTP/2's response has the methods of HTTP/1.1's, but its type says so in overloads of its own. */
function oneKind(response: NodeResponse): ServerResponse {
  return response as ServerResponse;
}

async function send(answer: HttpResponse, request: NodeRequest, response: NodeResponse): Promise<void> {
  if (response.destroyed || response.writableEnded) return;
  const headers = outgoingHeaders(answer, request);
  if (isStream(answer.body)) return sendStream(answer.status, headers, { body: answer.body, response });
  const plain = Array.isArray(answer.body) ? answer.body : [answer.body];
  const length = plain.reduce((sum: number, piece: Uint8Array) => sum + piece.length, 0);
  const compress = length > limits.compressFromBytes && acceptsGzip(request);
  const pieces: Uint8Array[] = compress ? [await compressed(plain, length)] : plain;
  if (compress) {
    headers['content-encoding'] = 'gzip';
    headers['vary'] =
      headers['vary'] === undefined ? 'Accept-Encoding' : `${headers['vary']}, Accept-Encoding`;
  }
  headers['content-length'] = String(pieces.reduce((sum, piece) => sum + piece.length, 0));
  const writable = oneKind(response);
  writable.writeHead(answer.status, headers);
  endWith(writable, oneBuffer(pieces), request);
}

/** Bodies up to a TLS record's size go out in one write with their head; beyond, copying costs more than it saves. */
const inlineBytesMax = 16 * 1024;

/**
 * HTTP/1.1 puts a text body behind the head and sends both at once, a buffer in a write, and a TLS record, of its
 * own. Latin-1 text is the bytes as they are.
 */
function endWith(response: ServerResponse, body: Uint8Array, request: NodeRequest): void {
  if (request.httpVersionMajor >= 2 || body.length > inlineBytesMax) response.end(body);
  else response.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1');
}

/** One write is cheaper than many: each would become a TLS record of its own. */
function oneBuffer(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}

function outgoingHeaders(answer: HttpResponse, request: NodeRequest): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (name === 'transfer-encoding' && request.httpVersionMajor >= 2) continue;
    headers[name] = typeof value === 'string' ? value : [...value];
  }
  return headers;
}

function acceptsGzip(request: NodeRequest): boolean {
  const accepted = headerText(request.headers['accept-encoding']) ?? '';
  return accepted.split(',').some((part) => part.trim() === 'gzip');
}

function compressed(pieces: readonly Uint8Array[], length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(Buffer.concat(pieces, length), { level: 1 }, (error, bytes) =>
      error ? reject(error) : resolve(bytes),
    );
  });
}

/** Streams with backpressure: the next piece is asked for when the socket has taken the last one. */
async function sendStream(
  status: number,
  headers: Record<string, string | string[]>,
  { body, response }: { body: AsyncIterable<Uint8Array>; response: NodeResponse },
): Promise<void> {
  const writable = oneKind(response);
  writable.writeHead(status, headers);
  writable.flushHeaders();
  try {
    for await (const piece of body) {
      if (response.destroyed) return;
      if (!writable.write(piece)) await drained(response);
    }
    response.end();
  } catch {
    response.destroy();
  }
}

function drained(response: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
