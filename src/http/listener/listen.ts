import { createHmac, randomBytes } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { invariant, limits, type Slices, systemSlices, systemTimers, type Timers } from '../../meta/index.ts';
import type { RequestHandler } from '../message.ts';
import { type AnswerBuffers, systemAnswerBuffers } from '../overload/index.ts';
import { afterSecond } from './after-second.ts';
import type { Connection } from './connection.ts';
import { ConnectionCounts } from './connection-counts.ts';
import { ConnectionGuard, type ConnectionLimits } from './connection-guard.ts';
import { connectionsFor } from './descriptors.ts';
import type { ExchangeParts } from './exchange.ts';
import { Http1Side } from './http1.ts';
import { Http2Side } from './http2.ts';
import { Intake } from './intake.ts';
import { PlainHosts } from './plain-host.ts';
import { type ListenTls, TlsContexts, tlsOptions } from './tls-options.ts';

/** Authentication takes a fraction of the time of a request. */
const arrivalsAtOnce = 32;

/** The address of a server, and its TLS options. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Undefined serves plain HTTP. */
  readonly tls: ListenTls | undefined;
  /** Lets other threads listen on the same port; the system gives each connection to one of them. From Node 22.12 on. */
  readonly reusePort?: boolean;
  /** Host names accepted on a plain HTTP port, besides `localhost` and addresses. */
  readonly hostNames?: readonly string[];
  /** The maximum number of HTTP/2 streams per connection. */
  readonly streamsPerConnectionMax?: number;
  readonly counts?: ConnectionCounts;
  /** Accounts for buffered responses; shared with the handler's metrics. */
  readonly buffers?: AnswerBuffers;
  readonly slices?: Slices;
  readonly timers?: Timers;
  /** Encrypts session tickets, so that all threads with the same key resume sessions; a new key by default. */
  readonly ticketKey?: Uint8Array;
  /** How many threads share the connections of the process; 1 by default. */
  readonly threads?: number;
  /** Overrides for the connection limits in `limits`. */
  readonly connectionLimits?: Partial<ConnectionLimits>;
  /** Called for errors that cannot be reported in a response, such as a truncated body. */
  readonly onError?: (error: unknown) => void;
  /** Called with the connections that the server closed, rate-limited. */
  readonly log?: (text: string) => void;
}

/** A listening server. */
export interface Listening {
  readonly port: number;
  /** Stops accepting, ends idle connections, and waits for the rest; the caller must end watches. */
  close(): Promise<void>;
}

/**
 * Opens a port: HTTP/2 and HTTP/1.1 over TLS, or plain HTTP/1.1.
 *
 * @throws a system error if the port is in use
 */
export async function listen(handler: RequestHandler, options: ListenOptions): Promise<Listening> {
  const guard = guardOf(options);
  const server = createServer({
    noDelay: true,
    // Detects clients whose machine is gone, in any protocol.
    keepAlive: true,
    keepAliveInitialDelay: limits.tcpKeepAliveMs,
  });
  const { onError = () => {} } = options;
  const onConnection = acceptor(
    {
      handler,
      guard,
      arrivals: new Intake(arrivalsAtOnce),
      intake: new Intake(),
      buffers: options.buffers ?? systemAnswerBuffers(options.timers ?? systemTimers),
      slices: options.slices ?? systemSlices(),
      onError,
    },
    options,
  );
  server.on('connection', (socket) => {
    const connection = guard.admit(socket);
    if (connection !== undefined) onConnection(socket, connection);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const { port, host, reusePort = false } = options;
    server.listen({ port, host, backlog: limits.listenBacklogMax, ...(reusePort && { reusePort }) }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: addressOf(server).port, close: () => closeServer(server, guard) };
}

function guardOf(options: ListenOptions): ConnectionGuard {
  const { counts = new ConnectionCounts(), timers = systemTimers, log = () => {}, threads = 1 } = options;
  const connectionsMax = Math.ceil(connectionsFor(limits.connectionsMax) / threads);
  const connectionsPerAddressMax = Math.ceil(limits.connectionsPerAddressMax / threads);
  return new ConnectionGuard({
    limits: { ...limits, connectionsMax, connectionsPerAddressMax, ...options.connectionLimits },
    timers,
    counts,
    log,
  });
}

type OnConnection = (socket: Socket, connection: Connection) => void;

function acceptor(parts: ExchangeParts, options: ListenOptions): OnConnection {
  return options.tls === undefined ? plainAcceptor(parts, options) : tlsAcceptor(parts, options, options.tls);
}

function plainAcceptor(parts: ExchangeParts, { host, hostNames = [] }: ListenOptions): OnConnection {
  const hosts = new PlainHosts([host, ...hostNames]);
  const http1 = new Http1Side(parts, ({ headers }) =>
    hosts.includes(headers.host) ? undefined : `this server is not ${headers.host}`,
  );
  return (socket, connection) => {
    parts.guard.opened(connection, 'HTTP/1.1');
    http1.accept(socket, connection);
  };
}

function tlsAcceptor(parts: ExchangeParts, options: ListenOptions, tls: ListenTls): OnConnection {
  const { guard } = parts;
  const http1 = new Http1Side(parts, () => undefined);
  const { streamsPerConnectionMax = limits.streamsPerConnectionMax } = options;
  const http2 = new Http2Side(parts, { streamsPerConnectionMax });
  const contexts = new TlsContexts(tls);
  const newTicketKeys = (material: object) => ticketKeysOf(options.ticketKey ?? randomBytes(48), material);
  // Otherwise it is made of the arguments of the thread.
  const own = { ticketKeys: newTicketKeys({}), sessionIdContext: 'ilk' };
  const server = createTlsServer({ ...tlsOptions(tls, contexts), ...own }, (secured) => {
    secured.on('error', ignore);
    const connection = guard.connectionOf(secured);
    // The client has already disconnected.
    if (connection === undefined) return void secured.destroy();
    const isHttp2 = secured.alpnProtocol === 'h2';
    guard.opened(connection, isHttp2 ? 'HTTP/2' : 'HTTP/1.1', secured);
    if (isHttp2) http2.accept(secured, connection);
    else http1.accept(secured, connection);
  });
  tls.onRenewal?.((material) => {
    server.setSecureContext(contexts.use(material));
    // Sessions of the old certificates are not resumed.
    server.setTicketKeys(newTicketKeys(material));
  });
  server.on('tlsClientError', (error, socket) => failHandshake(guard, error, socket));
  return (socket) =>
    afterSecond(() => {
      if (!socket.destroyed) server.emit('connection', socket);
    });
}

/** 48 bytes, which are the same in all threads for the same certificates. */
function ticketKeysOf(key: Uint8Array, material: object): Buffer {
  return createHmac('sha384', key).update(JSON.stringify(material)).digest();
}

/** The response of Go's server to plain HTTP on a TLS port. */
const plainHttpAnswer = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

function failHandshake(
  guard: ConnectionGuard,
  { code }: Error & { readonly code?: string },
  socket: TLSSocket,
): void {
  const connection = guard.connectionOf(socket);
  const destroy = () => {
    connection?.destroy('failed TLS handshake');
    socket.destroy();
  };
  // If the client does not read it, the handshake deadline closes the connection.
  if (code === 'ERR_SSL_HTTP_REQUEST' && connection !== undefined) {
    connection.socket.end(plainHttpAnswer, destroy);
  } else destroy();
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  invariant(address !== null && typeof address === 'object', 'a server that listens has an address');
  return address;
}

async function closeServer(server: Server, guard: ConnectionGuard): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await guard.drain(limits.drainMsMax);
  await closed;
}

/** Errors of a connection lead to its close event; an unhandled error event would crash the process. */
function ignore(): void {}
