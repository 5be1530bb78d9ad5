import { connect, type TLSSocket } from 'node:tls';

/** Where a server is, and who asks. */
export interface ClientOptions {
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** How load is made. */
interface LoadOptions extends ClientOptions {
  readonly connections: number;
  readonly requests: number;
  /** The bytes of the request with a number. */
  readonly request: (index: number) => Buffer;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Sends requests over keep-alive HTTP/1.1 connections, one at a time on each, and reads answers that name their
 * length. The requests are prepared, and the next one goes out as the answer is read, without a promise between:
 * on a small machine the client's work is the server's loss.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const requests = Array.from({ length: options.requests }, (_, index) => options.request(index));
  const sockets = await Promise.all(Array.from({ length: options.connections }, () => open(options)));
  const started = performance.now();
  const latencies = await sendAll(sockets, requests);
  const seconds = (performance.now() - started) / 1000;
  for (const socket of sockets) socket.destroy();
  latencies.sort((a, b) => a - b);
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Opens a connection. */
export function open({ port, ca, cert, key }: ClientOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca, cert, key, ALPNProtocols: ['http/1.1'] });
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
    socket.setNoDelay(true);
  });
}

/** How long each request took. */
function sendAll(sockets: readonly TLSSocket[], requests: readonly Buffer[]): Promise<number[]> {
  const latencies: number[] = [];
  let next = 0;
  return new Promise((resolve, reject) => {
    for (const socket of sockets) {
      let sent = 0;
      const sendNext = () => {
        const request = requests[next++];
        if (request === undefined) return;
        sent = performance.now();
        socket.write(request);
      };
      readAnswers(socket, (status) => {
        if (status >= 300) reject(new Error(`status ${status}`));
        latencies.push(performance.now() - sent);
        if (latencies.length === requests.length) resolve(latencies);
        sendNext();
      });
      sendNext();
    }
  });
}

const headEnd = Buffer.from('\r\n\r\n');

/** Tells the status of each answer when the whole of it was read, and its body where it came in one piece. */
export function readAnswers(socket: TLSSocket, done: (status: number, body: Buffer) => void): void {
  let head: Buffer | undefined;
  let missing = 0;
  let status = 0;
  socket.on('data', (chunk: Buffer) => {
    let body = chunk;
    if (missing > 0) {
      missing -= chunk.length;
    } else {
      const soFar = head === undefined ? chunk : Buffer.concat([head, chunk]);
      const end = soFar.indexOf(headEnd);
      head = end === -1 ? soFar : undefined;
      if (end === -1) return;
      const text = soFar.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      body = soFar.subarray(end + headEnd.length);
      missing = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0) - body.length;
    }
    if (missing <= 0) done(status, body);
  });
}

/** A request as bytes. */
export function requestBytes(method: string, path: string, body?: string): Buffer {
  const content =
    body === undefined
      ? ''
      : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${content}\r\n${body ?? ''}`);
}
