import type { HeaderLines } from '../../auth/index.ts';
import { headerLinesFrom } from './header-lines.ts';
import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type SessionOptions,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { limits } from '../../meta/index.ts';
import type { AnswerWriter, OutgoingHeaders } from './answer-writer.ts';
import type { Connection } from './connection.ts';
import { drainedOrClosed } from './drained.ts';
import { type ExchangeParts, serveExchange } from './exchange.ts';
import { isAnonymous } from './is-anonymous.ts';
import { headerText, NodeRequest } from './node-request.ts';
import { readBody } from './read-body.ts';

/** Serves HTTP/2 on given sockets. */
export class Http2Side {
  readonly #parts: ExchangeParts;
  readonly #options: SessionOptions;

  constructor(
    parts: ExchangeParts,
    { streamsPerConnectionMax }: { readonly streamsPerConnectionMax: number },
  ) {
    this.#parts = parts;
    this.#options = {
      settings: {
        maxConcurrentStreams: streamsPerConnectionMax,
        maxHeaderListSize: limits.requestHeadBytesMax,
        enablePush: false,
      },
      maxHeaderListPairs: limits.requestHeadersMax,
      // From Node 24.2 on; others drop such headers: docs/decisions/0014-connections.md.
      strictFieldWhitespaceValidation: false,
      // Node ends sessions that exceed it, by default 10 MB, which is one large list. Buffering is bounded per stream
      // instead.
      maxSessionMemory: limits.sessionBytesMax / 1e6,
    };
  }

  /** Takes over a socket that negotiated HTTP/2. */
  accept(socket: TLSSocket, connection: Connection): void {
    const { guard } = this.#parts;
    const session = performServerHandshake(socket, this.#options);
    guard.hasSession(connection, session);
    session.on('error', (error) => {
      connection.reason ??= 'protocol error';
      freeFrames(error);
    });
    // The socket may outlive the session.
    session.on('close', () => connection.destroy('closed by the client'));
    session.on('stream', (stream, headers, flags, rawHeaders) => {
      const hasBody = (flags & constants.NGHTTP2_FLAG_END_STREAM) === 0;
      this.#serve({ connection, session, stream, headers, rawHeaders, hasBody });
    });
  }

  #serve(opened: OpenedStream): void {
    const { connection, stream } = opened;
    stream.on('error', ignore);
    const request = new Http2Request(opened, this.#parts);
    const writer = new Http2Writer(stream);
    const onEnd = () => this.#ended(opened, request, writer);
    void serveExchange(this.#parts, { connection, request, writer, isStream: true, onStall: ignore, onEnd });
  }

  #ended({ connection, stream, hasBody }: OpenedStream, request: Http2Request, writer: Http2Writer): void {
    const { guard } = this.#parts;
    if (!writer.ended) return guard.reset(connection);
    if (hasBody && !stream.readableEnded) refuseRest(stream);
    // As upstream: anonymous clients may not open thousands of streams (CVE-2023-44487).
    if (!request.isUsers && !request.isPage) guard.retire(connection, 'refused anonymous request');
  }
}

/**
 * The call frames of an error refer to the native session, the session waits for the acknowledgement of its SETTINGS, and the
 * wait refers to the error: without this, 20 KB stay for each client that breaks the protocol before it acknowledges
 * them. V8 replaces the frames by text once the stack is read.
 */
function freeFrames(error: Error): void {
  void error.stack;
}

/** Tells the client, after the response, to stop sending the body. Source: RFC 9113, 8.1. */
function refuseRest(stream: ServerHttp2Stream): void {
  const close = () => stream.close(constants.NGHTTP2_NO_ERROR);
  if (stream.writableFinished) close();
  else stream.once('finish', close);
}

interface OpenedStream {
  readonly connection: Connection;
  readonly session: ServerHttp2Session;
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly hasBody: boolean;
}

class Http2Request extends NodeRequest {
  /** True if a user other than the anonymous one has authenticated. */
  isUsers = false;
  /** Whether the response was a page, and the connection is within its limit of pages. */
  isPage = false;
  readonly #opened: OpenedStream;
  readonly #guard: ExchangeParts['guard'];

  constructor(opened: OpenedStream, { guard, buffers }: Pick<ExchangeParts, 'guard' | 'buffers'>) {
    const { connection, headers } = opened;
    super({
      hold: buffers.hold(),
      method: headerText(headers[':method']) ?? 'GET',
      url: headerText(headers[':path']) ?? '/',
      remoteAddress: connection.address,
      certificate: connection.certificate,
      onUser: (user) => {
        connection.flow = user.name;
        if (isAnonymous(user)) return;
        this.isUsers = true;
        guard.authenticated(connection);
      },
      onPage: () => {
        connection.pagesLeft -= 1;
        this.isPage = connection.pagesLeft >= 0;
      },
    });
    this.#opened = opened;
    this.#guard = guard;
  }

  header(name: string): string | undefined {
    const { headers } = this.#opened;
    return headerText(headers[name]) ?? (name === 'host' ? headerText(headers[':authority']) : undefined);
  }

  headersFrom(prefix: string): HeaderLines {
    return headerLinesFrom(this.#opened.rawHeaders, prefix);
  }

  protected get isGone(): boolean {
    const { stream } = this.#opened;
    return stream.destroyed || stream.closed;
  }

  protected whenGone(call: () => void): void {
    this.#opened.stream.once('close', call);
  }

  protected read(): Promise<Uint8Array> {
    const { hasBody, stream } = this.#opened;
    if (!hasBody) return Promise.resolve(Buffer.alloc(0));
    return readBody({
      stream,
      waitFor: (durationMs, onLate) => this.#guard.waitFor(durationMs, onLate),
      onSlow: () => stream.close(constants.NGHTTP2_CANCEL),
    });
  }
}

/** Writes an HTTP/2 response. */
class Http2Writer implements AnswerWriter {
  /** Whether the whole response was written. */
  ended = false;
  readonly #stream: ServerHttp2Stream;

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
  }

  get gone(): boolean {
    return this.#stream.destroyed || this.#stream.closed;
  }

  whole(status: number, headers: OutgoingHeaders, body: Uint8Array): void {
    this.ended = true;
    const fields = http2Headers(status, headers);
    fields['content-length'] = String(body.length);
    if (body.length === 0) return this.#stream.respond(fields, { endStream: true });
    this.#stream.respond(fields);
    this.#stream.end(body);
  }

  head(status: number, headers: OutgoingHeaders): void {
    this.#stream.respond(http2Headers(status, headers));
  }

  write(piece: Uint8Array): boolean {
    return this.#stream.write(piece);
  }

  drained(): Promise<void> {
    return drainedOrClosed(this.#stream);
  }

  /**
   * END_STREAM is in the frame of the last bytes. A client that has read `content-length` bytes without an end may
   * reset the stream, as curl does; Node's library fails the connection after 1,000 such resets, and 33 more per
   * second. If a write starts while another one completes, Node sends its frames before it knows of the end.
   */
  end(last?: Uint8Array): void {
    this.ended = true;
    if (last === undefined) this.#stream.end();
    else setImmediate(() => this.gone || this.#stream.end(last));
  }

  abort(): void {
    this.ended = true;
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }
}

/** HTTP/2 has no connection headers. Source: RFC 9113, 8.2.2. */
function http2Headers(status: number, headers: OutgoingHeaders): Record<string, number | string | string[]> {
  const fields: Record<string, number | string | string[]> = { ':status': status };
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || name === 'transfer-encoding' || name === 'connection') continue;
    fields[name] = typeof value === 'string' ? value : [...value];
  }
  return fields;
}

/** Errors of a stream lead to its close event; an unhandled error event would crash the process. */
function ignore(): void {}
