import { makeCertificates } from '../../src/auth/index.ts';
import {
  ConnectionCounts,
  type HttpRequest,
  type HttpResponse,
  type Listening,
  type ListenOptions,
  listen,
} from '../../src/http/index.ts';

/** A port of Ilk's listener on the loopback interface. */
export interface SizedServer {
  readonly port: number;
  readonly listening: Listening;
  /** Undefined for a plain port. */
  readonly caPem: string | undefined;
  /** Connections that the server holds. */
  openConnections(): number;
  /** Pieces of streamed answers that the server has made so far. */
  piecesMade(): number;
  /** How many it has closed, by reason. */
  closedConnections(): Readonly<Record<string, number>>;
}

/** Who runs the server, and how hasty it is. */
export interface SizedServerOptions
  extends Pick<ListenOptions, 'timers' | 'connectionLimits' | 'onError' | 'log'> {
  readonly tls: boolean;
}

const letters = Buffer.alloc(32 * 1024 * 1024, 'abcdefghijklmnopqrstuvwxyz');

/**
 * Serves answers of every size: `POST /?answer=N` reads the body and answers with N bytes and with
 * `body-length`, the bytes that it read. `chunked=1` streams the answer in pieces of 10,000 bytes.
 * A request with any authorization is of a user, others are anonymous.
 */
export async function startSizedServer({ tls: isTls, ...more }: SizedServerOptions): Promise<SizedServer> {
  const made = isTls ? await makeCertificates(['localhost', '127.0.0.1'], Date.now()) : undefined;
  const tls = made && { cert: made.server.certPem, key: made.server.keyPem, clientCa: made.ca.certPem };
  const counts = new ConnectionCounts();
  const streams = { pieces: 0 };
  const listening = await listen(
    { handle: (request) => answerSized(request, streams) },
    { host: '127.0.0.1', port: 0, tls, counts, ...more },
  );
  const [open, closed] = counts.families();
  return {
    port: listening.port,
    listening,
    caPem: made?.ca.certPem,
    openConnections: () => [...(open?.read() ?? [])].reduce((sum, { value }) => sum + value, 0),
    piecesMade: () => streams.pieces,
    closedConnections: () =>
      Object.fromEntries([...(closed?.read() ?? [])].map(({ labels, value }) => [labels['reason'], value])),
  };
}

const user = { name: 'tester', groups: ['system:authenticated'] };

async function answerSized(request: HttpRequest, streams: { pieces: number }): Promise<HttpResponse> {
  if (request.header('authorization') !== undefined) request.onUser?.(user);
  const body = await request.body();
  const bytes = letters.subarray(0, Number(request.query.get('answer') ?? 0));
  const headers = { 'content-type': 'application/octet-stream', 'body-length': String(body.length) };
  return { status: 200, headers, body: request.query.has('chunked') ? streamed(bytes, streams) : bytes };
}

async function* streamed(bytes: Uint8Array, streams: { pieces: number }): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_000) {
    streams.pieces += 1;
    yield bytes.subarray(at, at + 10_000);
  }
}
