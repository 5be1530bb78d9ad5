import { connect, type TLSSocket } from 'node:tls';

/** How load is made. */
export interface LoadOptions {
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
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

const headEnd = Buffer.from('\r\n\r\n');

/**
 * Sends requests over keep-alive HTTP/1.1 connections, one at a time on each, and reads answers that name their
 * length. It parses no more than it must: on a small machine the client's work is the server's loss.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = [];
  let next = 0;
  const sockets = await Promise.all(Array.from({ length: options.connections }, () => open(options)));
  const started = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      const exchange = exchanger(socket);
      while (next < options.requests) {
        const index = next++;
        const sent = performance.now();
        const status = await exchange(options.request(index));
        if (status >= 300) throw new Error(`status ${status}`);
        latencies.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const socket of sockets) socket.destroy();
  latencies.sort((a, b) => a - b);
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function open({ port, ca, cert, key }: LoadOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca, cert, key, ALPNProtocols: ['http/1.1'] });
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
    socket.setNoDelay(true);
  });
}

/** Sends one request and resolves with the status when the whole answer was read. */
function exchanger(socket: TLSSocket): (request: Buffer) => Promise<number> {
  let head: Buffer[] = [];
  let missing = 0;
  let status = 0;
  let done: (status: number) => void = () => {};
  socket.on('data', (chunk: Buffer) => {
    if (missing === 0) {
      head.push(chunk);
      const soFar = head.length === 1 ? chunk : Buffer.concat(head);
      const end = soFar.indexOf(headEnd);
      if (end === -1) return;
      const text = soFar.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      missing = length - (soFar.length - end - 4);
      head = [];
    } else {
      missing -= chunk.length;
    }
    if (missing <= 0) {
      missing = 0;
      done(status);
    }
  });
  return (request) =>
    new Promise((resolve) => {
      done = resolve;
      socket.write(request);
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
