import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Timers } from '../../meta/index.ts';
import { Connection } from './connection.ts';
import type { CloseReason, ConnectionCounts, Protocol } from './connection-counts.ts';
import { CloseLog } from './close-log.ts';
import { readClientCertificate } from './client-certificate.ts';

/** Limits of connections; `limits` has their values and descriptions. */
export interface ConnectionLimits {
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  readonly handshakeMsMax: number;
  readonly authenticationMsMax: number;
  readonly connectionIdleMsMax: number;
  readonly pingAfterMs: number;
  readonly pongMsMax: number;
  readonly streamResetBurstMax: number;
  readonly streamResetsPerSecondMax: number;
}

/** The dependencies of a guard. */
interface ConnectionGuardParts {
  readonly limits: ConnectionLimits;
  readonly timers: Timers;
  readonly counts: ConnectionCounts;
  /** Called with closed connections, rate-limited. */
  readonly log: (text: string) => void;
}

/** One sweep over all connections costs less than a timer for each. */
const tickMs = 1_000;
/** The time that a session has to end on request. */
const retirementTicksMax = 5;

/**
 * Supervises every connection from the raw socket up, because end events are not reliable. Node 20, for example, leaves
 * an HTTP/2 session open after a client broke the protocol and disconnected, and emits nothing.
 *
 * Time is counted in sweeps: while the process is blocked, no client is late.
 */
export class ConnectionGuard {
  readonly #parts: ConnectionGuardParts;
  readonly #log: CloseLog;
  readonly #open = new Set<Connection>();
  /** Unauthenticated connections, oldest first. */
  readonly #strangers = new Set<Connection>();
  /** By address and port: Node does not expose the raw socket of a TLS socket. */
  readonly #byPeer = new Map<string, Connection>();
  readonly #perAddress = new Map<string, number>();
  readonly #waits = new Set<Wait>();
  readonly #endSweeps: () => void;
  #tick = 0;
  #exchanges = 0;
  #onQuiet: () => void = () => {};

  constructor(parts: ConnectionGuardParts) {
    this.#parts = parts;
    this.#log = new CloseLog(parts.log);
    this.#endSweeps = parts.timers.every(tickMs, () => this.#sweep());
  }

  /** Accepts a connection; undefined if the limit is reached, and it is closed. */
  admit(socket: Socket): Connection | undefined {
    const { limits, counts } = this.#parts;
    socket.on('error', ignore);
    const peer = peerOf(socket);
    const refusal = peer === undefined ? 'closed by the client' : this.#refusal(socket);
    if (refusal !== undefined) {
      this.#note(refusal);
      socket.destroy();
      return undefined;
    }
    const connection = new Connection(socket, this.#tick, limits.streamResetBurstMax);
    this.#open.add(connection);
    this.#strangers.add(connection);
    if (peer !== undefined) this.#byPeer.set(peer, connection);
    this.#perAddress.set(connection.address, this.#ofAddress(connection.address) + 1);
    counts.moved(undefined, 'handshake');
    socket.once('close', () => this.#forget(connection, peer));
    return connection;
  }

  /** Closes the oldest unauthenticated connection to make room. */
  #refusal(socket: Socket): CloseReason | undefined {
    const { connectionsMax, connectionsPerAddressMax } = this.#parts.limits;
    if (this.#ofAddress(socket.remoteAddress ?? '') >= connectionsPerAddressMax) {
      return 'too many connections of one address';
    }
    if (this.#open.size < connectionsMax) return undefined;
    const oldest = this.#oldestStranger();
    if (oldest === undefined) return 'too many connections';
    oldest.destroy('too many connections');
    return undefined;
  }

  #oldestStranger(): Connection | undefined {
    for (const connection of this.#strangers) {
      if (connection.reason === undefined) return connection;
    }
    return undefined;
  }

  #ofAddress(address: string): number {
    return this.#perAddress.get(address) ?? 0;
  }

  /** The connection below a TLS socket. */
  connectionOf(tls: TLSSocket): Connection | undefined {
    const peer = peerOf(tls);
    return peer === undefined ? undefined : this.#byPeer.get(peer);
  }

  /** The handshake is over, or there is none: requests may arrive. */
  opened(connection: Connection, protocol: Protocol, tls?: TLSSocket): void {
    this.#parts.counts.moved('handshake', protocol);
    connection.protocol = protocol;
    connection.openedTick = this.#tick;
    connection.heardTick = this.#tick;
    if (tls === undefined) return;
    connection.tls = tls;
    connection.certificate = readClientCertificate(tls);
    if (connection.certificate !== undefined && connection.certificate.fault === undefined)
      this.authenticated(connection);
  }

  hasSession(connection: Connection, session: ServerHttp2Session): void {
    connection.session = session;
  }

  /** A user has authenticated on the connection. */
  authenticated(connection: Connection): void {
    if (connection.authenticated) return;
    connection.authenticated = true;
    connection.idleSinceTick = this.#tick;
    this.#strangers.delete(connection);
  }

  /** A request has arrived; {@link ended} is called once its response is sent or aborted. */
  began(connection: Connection): void {
    connection.exchanges += 1;
    this.#exchanges += 1;
  }

  ended(connection: Connection): void {
    connection.exchanges -= 1;
    connection.idleSinceTick = this.#tick;
    this.#exchanges -= 1;
    if (this.#exchanges === 0) this.#onQuiet();
  }

  /** The client has reset a stream before its response. */
  reset(connection: Connection): void {
    const { streamResetBurstMax, streamResetsPerSecondMax } = this.#parts.limits;
    const refilled = (this.#tick - connection.resetsTick) * streamResetsPerSecondMax;
    connection.resetsLeft = Math.min(streamResetBurstMax, connection.resetsLeft + refilled) - 1;
    connection.resetsTick = this.#tick;
    if (connection.resetsLeft < 0) connection.destroy('too many stream resets');
  }

  /** Ends a connection after its requests are finished. */
  retire(connection: Connection, reason: CloseReason): void {
    connection.retire(reason, this.#tick);
  }

  /** Calls back if the client has not acted in time. Returns the cancel function. */
  waitFor(durationMs: number, onLate: () => void): () => void {
    const wait = { untilTick: this.#tick + ticks(durationMs), onLate };
    this.#waits.add(wait);
    return () => this.#waits.delete(wait);
  }

  #sweep(): void {
    this.#tick += 1;
    for (const connection of this.#open) this.#check(connection);
    for (const wait of this.#waits) {
      if (wait.untilTick > this.#tick) continue;
      this.#waits.delete(wait);
      wait.onLate();
    }
    this.#log.flush(this.#tick);
  }

  #check(connection: Connection): void {
    const { limits } = this.#parts;
    const { retiredTick, state } = connection;
    const isOver = (sinceTick: number, durationMs: number) => this.#tick - sinceTick >= ticks(durationMs);
    if (state === 'active') return this.#checkAlive(connection);
    if (retiredTick !== undefined && this.#tick - retiredTick >= retirementTicksMax) {
      connection.destroy(connection.reason ?? 'idle');
    } else if (state === 'handshaking') {
      if (isOver(connection.openedTick, limits.handshakeMsMax))
        connection.destroy('no TLS handshake in time');
    } else if (state === 'unauthenticated') {
      if (isOver(connection.openedTick, limits.authenticationMsMax))
        connection.destroy('not authenticated in time');
    } else if (isOver(connection.idleSinceTick, limits.connectionIdleMsMax)) {
      this.retire(connection, 'idle');
    }
  }

  /**
   * Pings an HTTP/2 client that has open requests and has been silent for long; TCP keep-alive does that for HTTP/1.1.
   */
  #checkAlive(connection: Connection): void {
    const { session } = connection;
    if (session === undefined) return;
    const { pingAfterMs, pongMsMax } = this.#parts.limits;
    const { bytesRead } = connection.socket;
    if (bytesRead !== connection.bytesRead) {
      connection.bytesRead = bytesRead;
      connection.heardTick = this.#tick;
    }
    const quietTicks = this.#tick - connection.heardTick;
    if (quietTicks >= ticks(pingAfterMs + pongMsMax)) connection.destroy('no answer to a ping');
    else if (quietTicks === ticks(pingAfterMs) && !session.destroyed) session.ping(ignore);
  }

  #forget(connection: Connection, peer: string | undefined): void {
    this.#open.delete(connection);
    this.#strangers.delete(connection);
    if (peer !== undefined && this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
    const left = this.#ofAddress(connection.address) - 1;
    if (left > 0) this.#perAddress.set(connection.address, left);
    else this.#perAddress.delete(connection.address);
    this.#parts.counts.moved(connection.protocol ?? 'handshake', undefined);
    const reason = connection.reason ?? 'closed by the client';
    this.#note(reason);
    connection.destroy(reason);
  }

  #note(reason: CloseReason): void {
    this.#parts.counts.closed(reason);
    this.#log.note(reason);
  }

  /**
   * Waits for running requests with a timeout, then ends open connections. An HTTP/2 session is closed after the last
   * frames of its streams are written; its socket must stay open until then.
   */
  async drain(durationMsMax: number): Promise<void> {
    const closed = [...this.#open].map(({ session }) => {
      if (session === undefined || session.destroyed) return undefined;
      const over = new Promise<void>((resolve) => session.once('close', () => resolve()));
      session.close();
      return over;
    });
    const quiet = new Promise<void>((resolve) => {
      this.#onQuiet = resolve;
      if (this.#exchanges === 0) resolve();
    });
    await this.#atMost(durationMsMax, Promise.all([quiet, ...closed]));
    const flushed = [...this.#open].map(({ tls, socket }) => {
      const over = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      (tls ?? socket).destroySoon();
      return over;
    });
    await this.#atMost(flushMsMax, Promise.all(flushed));
    for (const connection of this.#open) connection.destroy('server closes');
    this.#endSweeps();
  }

  /** Awaits with a timeout. */
  async #atMost(durationMs: number, awaited: Promise<unknown>): Promise<void> {
    let callOff = () => {};
    const late = new Promise<void>((resolve) => {
      callOff = this.#parts.timers.after(durationMs, resolve);
    });
    await Promise.race([awaited, late]);
    callOff();
  }
}

/** The time for written responses to be flushed when the server closes. */
const flushMsMax = 250;

interface Wait {
  readonly untilTick: number;
  readonly onLate: () => void;
}

function ticks(durationMs: number): number {
  return Math.ceil(durationMs / tickMs);
}

function peerOf({ remoteAddress, remotePort }: Socket): string | undefined {
  return remotePort === undefined ? undefined : `${remoteAddress} ${remotePort}`;
}

/** Errors of a connection lead to its close event; an unhandled error event would crash the process. */
function ignore(): void {}
