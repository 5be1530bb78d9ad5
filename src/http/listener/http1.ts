import type { HeaderLines } from '../../auth/index.ts';
import { headerLinesFrom } from './header-lines.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../../meta/index.ts';
import type { AnswerHold } from '../overload/index.ts';
import type { AnswerWriter, OutgoingHeaders } from './answer-writer.ts';
import type { Connection } from './connection.ts';
import { drainedOrClosed } from './drained.ts';
import { type Exchange, type ExchangeParts, serveExchange } from './exchange.ts';
import { framingProblem } from './framing-problem.ts';
import { isAnonymous } from './is-anonymous.ts';
import { headerText, NodeRequest } from './node-request.ts';
import { readBody } from './read-body.ts';
import { asksForWebSocket, bearerOf, handshakeProblem } from './web-socket-handshake.ts';
import { webSockets, WebSocketWriter } from './web-socket-writer.ts';

/** Serves HTTP/1.1 on given sockets. */
export class Http1Side {
  readonly #parts: ExchangeParts;
  readonly #server: Server;
  readonly #connections = new WeakMap<Socket, Connection>();
  /** The responses to the latest request of a socket and to the one before. */
  readonly #lastOf = new WeakMap<Socket, readonly [ServerResponse, ServerResponse | undefined]>();
  readonly #broken = new WeakSet<Socket>();
  /** Why a request is refused before handling; undefined otherwise. */
  readonly #refusal: (request: IncomingMessage) => string | undefined;

  constructor(parts: ExchangeParts, refusal: (request: IncomingMessage) => string | undefined) {
    this.#parts = parts;
    this.#refusal = refusal;
    // The connection guard has the deadlines; Node's own need a timer per socket.
    const options = { maxHeaderSize: limits.requestHeadBytesMax, keepAliveTimeout: 0, requestTimeout: 0 };
    this.#server = createServer(options, (request, response) => this.#serve(request, response));
    // One more than is accepted: Node ignores further ones.
    this.#server.maxHeadersCount = limits.requestHeadersMax + 1;
    this.#server.headersTimeout = 0;
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
      this.#refuseBroken(error, socket),
    );
  }

  /** Takes over a socket, plain or TLS. */
  accept(socket: Socket, connection: Connection): void {
    this.#connections.set(socket, connection);
    this.#server.emit('connection', socket);
    /*
     * Makes Node's parser read from the socket's stream instead of its handle. On the handle it cannot be paused: TLS
     * delivers all records of a segment, including those after the record at which the parser was paused because a
     * response had not drained, and the parser fails with HPE_PAUSED (Node 20, 22 and 24). A `data` listener makes Node
     * use the stream, which buffers while paused.
     */
    socket.on('data', ignore);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) {
      request.socket.destroy();
      return;
    }
    request.on('error', ignore);
    response.on('error', ignore);
    this.#note(request.socket, response);
    const problem = framingProblem(request);
    if (problem !== undefined) return refuse(response, problem.code, problem.text);
    const refusal = this.#refusal(request);
    if (refusal !== undefined) return refuse(response, 403, refusal);
    if (asksForWebSocket(request)) return this.#serveWebSocket(connection, request, response);
    // Node loses what follows a request for another protocol in the same segment: the client must not wait for those answers.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    void serveExchange(this.#parts, this.#exchange(connection, request, response));
  }

  /** Kept until it is sent: a connection may be idle for long afterwards. */
  #note(socket: Socket, response: ServerResponse): void {
    this.#lastOf.set(socket, [response, this.#lastOf.get(socket)?.[0]]);
    response.once('close', () => {
      if (this.#lastOf.get(socket)?.[0] === response) this.#lastOf.delete(socket);
    });
  }

  #serveWebSocket(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const problem = handshakeProblem(request);
    if (problem !== undefined) return refuse(response, problem.code, problem.text);
    const exchange = this.#exchange(connection, request, response);
    webSockets().then(
      (server) => {
        const writer = new WebSocketWriter({ server, request, response, plain: exchange.writer });
        return serveExchange(this.#parts, { ...exchange, writer });
      },
      (error) => {
        this.#parts.onError(error);
        response.destroy();
      },
    );
  }

  #exchange(connection: Connection, request: IncomingMessage, response: ServerResponse): Exchange {
    const { guard, buffers } = this.#parts;
    const parts = { connection, request, response, guard, hold: buffers.hold() };
    return {
      connection,
      request: new Http1Request(parts),
      writer: new Http1Writer(response),
      onStall: () => {
        connection.reason ??= 'answer not read';
      },
    };
  }

  /**
   * Responds like Node to requests that it cannot parse, and counts them; after the responses to the requests before: their clients
   * must not take this one for theirs.
   */
  #refuseBroken({ code }: NodeJS.ErrnoException, socket: Socket): void {
    // The parser reports each further segment.
    if (this.#broken.has(socket)) return;
    this.#broken.add(socket);
    const connection = this.#connections.get(socket);
    if (connection !== undefined && code !== 'ECONNRESET') connection.reason ??= 'protocol error';
    const [last, before] = this.#lastOf.get(socket) ?? [];
    const whole = last?.req.complete === true ? last : before;
    const isPending = whole !== undefined && !whole.writableFinished && !whole.destroyed;
    if (isPending && code !== 'ECONNRESET') whole.once('close', () => endBroken(code, socket));
    else endBroken(code, socket);
  }
}

function endBroken(code: string | undefined, socket: Socket): void {
  if (!socket.writable || socket.writableLength > 0) return void socket.destroy();
  const status = code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`, () => socket.destroy());
}

function refuse(response: ServerResponse, code: 400 | 403 | 431 | 501 | 505, text: string): void {
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${text}\n`);
}

interface Http1RequestParts {
  readonly connection: Connection;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly guard: ExchangeParts['guard'];
  readonly hold: AnswerHold;
}

class Http1Request extends NodeRequest {
  readonly #parts: Http1RequestParts;
  readonly takesMessages: boolean;

  constructor(parts: Http1RequestParts) {
    const { connection, request, guard, hold } = parts;
    super({
      hold,
      method: request.method ?? 'GET',
      url: request.url ?? '/',
      remoteAddress: connection.address,
      certificate: connection.certificate,
      onUser: (user) => {
        connection.flow = user.name;
        if (!isAnonymous(user)) guard.authenticated(connection);
      },
    });
    this.#parts = parts;
    this.takesMessages = asksForWebSocket(request);
  }

  header(name: string): string | undefined {
    if (this.takesMessages && name === 'authorization') return bearerOf(this.#parts.request);
    return headerText(this.#parts.request.headers[name]);
  }

  headersFrom(prefix: string): HeaderLines {
    return headerLinesFrom(this.#parts.request.rawHeaders, prefix);
  }

  protected get isGone(): boolean {
    return this.#parts.response.destroyed;
  }

  protected whenGone(call: () => void): void {
    this.#parts.response.once('close', call);
  }

  protected read(): Promise<Uint8Array> {
    const { connection, request, guard } = this.#parts;
    return readBody({
      stream: request,
      waitFor: (durationMs, onLate) => guard.waitFor(durationMs, onLate),
      onSlow: () => connection.destroy('request body too slow'),
    });
  }
}

/** Writes an HTTP/1.1 response. */
class Http1Writer implements AnswerWriter {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get gone(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  /** A string body is sent together with the head; a buffer takes a write and a TLS record of its own. */
  whole(status: number, headers: OutgoingHeaders, body: Uint8Array): void {
    this.#response.writeHead(status, mutable({ ...headers, 'content-length': String(body.length) }));
    // Latin-1 encodes the bytes unchanged.
    this.#response.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1');
  }

  head(status: number, headers: OutgoingHeaders): void {
    this.#response.writeHead(status, mutable(headers));
    this.#response.flushHeaders();
  }

  write(piece: Uint8Array): boolean {
    return this.#response.write(piece);
  }

  drained(): Promise<void> {
    return drainedOrClosed(this.#response);
  }

  end(last?: Uint8Array): void {
    this.#response.end(last);
  }

  abort(): void {
    this.#response.destroy();
  }
}

/** Node's header type is not readonly, but Node does not modify it. */
function mutable(headers: OutgoingHeaders): Record<string, string | string[]> {
  return headers as Record<string, string | string[]>;
}

/** Errors of a request lead to its close event; an unhandled error event would crash the process. */
function ignore(): void {}
