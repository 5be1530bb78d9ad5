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
  /** Connections that the server holds, or those on which a protocol is spoken. */
  openConnections(protocol?: 'HTTP/1.1' | 'HTTP/2' | 'handshake'): number;
  /** Pieces of streamed answers that the server has made so far. */
  piecesMade(): number;
  /** Requests whose body it has begun to wait for. */
  bodiesBegun(): number;
  /** Requests whose handling is over. */
  requestsEnded(): number;
  /** How many it has closed, by reason. */
  closedConnections(): Readonly<Record<string, number>>;
}

/** Who runs the server, and how hasty it is. */
export interface SizedServerOptions
  extends Pick<ListenOptions, 'timers' | 'buffers' | 'connectionLimits' | 'hostNames' | 'onError' | 'log'> {
  readonly tls: boolean;
}

const letters = Buffer.alloc(32 * 1024 * 1024, 'abcdefghijklmnopqrstuvwxyz');

/**
 * Serves answers of every size: `POST /?answer=N` reads the body and answers with N bytes and with
 * `body-length`, the bytes that it read, and `asked-path`. `chunked=1` streams the answer in pieces of 10,000 bytes, `broken=1` fails
 * after the first of them, and `held=1` never answers, and `said=1` gives the header `x-say`. A request with any authorization is of a user, others are anonymous.
 */
export async function startSizedServer({ tls: isTls, ...more }: SizedServerOptions): Promise<SizedServer> {
  const made = isTls ? await makeCertificates(['localhost', '127.0.0.1'], Date.now()) : undefined;
  const tls = made && { cert: made.server.certPem, key: made.server.keyPem, clientCa: made.ca.certPem };
  const counts = new ConnectionCounts();
  const seen: Seen = { pieces: 0, bodiesBegun: 0, requestsEnded: 0 };
  const listening = await listen(
    { handle: (request) => answerSized(request, seen) },
    { host: '127.0.0.1', port: 0, tls, counts, ...more },
  );
  const [open, closed] = counts.families();
  return {
    port: listening.port,
    listening,
    caPem: made?.ca.certPem,
    openConnections: (protocol) =>
      [...(open?.read() ?? [])]
        .filter(({ labels }) => protocol === undefined || labels['protocol'] === protocol)
        .reduce((sum, { value }) => sum + value, 0),
    piecesMade: () => seen.pieces,
    bodiesBegun: () => seen.bodiesBegun,
    requestsEnded: () => seen.requestsEnded,
    closedConnections: () =>
      Object.fromEntries([...(closed?.read() ?? [])].map(({ labels, value }) => [labels['reason'], value])),
  };
}

const user = { name: 'tester', groups: ['system:authenticated'] };

interface Seen {
  pieces: number;
  bodiesBegun: number;
  requestsEnded: number;
}

async function answerSized(request: HttpRequest, seen: Seen): Promise<HttpResponse> {
  try {
    if (request.header('authorization') !== undefined) request.onUser?.(user);
    seen.bodiesBegun += 1;
    if (request.query.has('held')) await gone(request);
    const body = await request.body();
    if (request.query.has('said'))
      return { status: 200, headers: {}, body: Buffer.from(`said:${request.header('x-say')}.`) };
    const bytes = letters.subarray(0, Number(request.query.get('answer') ?? 0));
    const headers = {
      'content-type': 'application/octet-stream',
      'body-length': String(body.length),
      'asked-path': request.path,
    };
    if (request.query.has('broken')) return { status: 200, headers, body: broken() };
    return { status: 200, headers, body: request.query.has('chunked') ? streamed(bytes, seen) : bytes };
  } finally {
    seen.requestsEnded += 1;
  }
}

function gone({ signal }: HttpRequest): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield letters.subarray(0, 10_000);
  throw new Error('the source of the answer has failed');
}

async function* streamed(bytes: Uint8Array, seen: Seen): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_000) {
    seen.pieces += 1;
    yield bytes.subarray(at, at + 10_000);
  }
}
