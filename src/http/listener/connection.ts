import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../auth/index.ts';
import { limits } from '../../meta/index.ts';
import type { CloseReason, Protocol } from './connection-counts.ts';

/**
 * The phase of a connection: TLS handshake, unauthenticated, with open requests, or idle.
 */
type ConnectionState = 'handshaking' | 'unauthenticated' | 'active' | 'idle';

/** One connection, from the raw socket up. Times are ticks of the guard, which updates these fields. */
export class Connection {
  readonly socket: Socket;
  /** The client's address; empty if it is already gone. */
  readonly address: string;
  protocol: Protocol | undefined;
  tls: TLSSocket | undefined;
  session: ServerHttp2Session | undefined;
  certificate: ClientCertificate | undefined;
  authenticated = false;
  /** The last user on it, or its address: the flow by which requests take turns before authentication. */
  flow: string;
  /** The number of pages that it may still get without authentication. */
  pagesLeft = limits.pagesPerConnectionMax;
  /** Open requests. */
  exchanges = 0;
  /** When it was accepted, or its handshake ended. */
  openedTick: number;
  /** When its last response was sent. */
  idleSinceTick: number;
  /** When bytes last arrived, as seen by a sweep. */
  heardTick: number;
  bytesRead = 0;
  /** When it was asked to end after its requests. */
  retiredTick: number | undefined;
  /** The remaining stream resets, replenished over time. */
  resetsLeft: number;
  resetsTick: number;
  /** Why the server ends it. */
  reason: CloseReason | undefined;

  constructor(socket: Socket, tick: number, resetsLeft: number) {
    this.socket = socket;
    this.address = socket.remoteAddress ?? '';
    this.flow = this.address;
    this.openedTick = tick;
    this.idleSinceTick = tick;
    this.heardTick = tick;
    this.resetsTick = tick;
    this.resetsLeft = resetsLeft;
  }

  get state(): ConnectionState {
    if (this.protocol === undefined) return 'handshaking';
    if (this.exchanges > 0) return 'active';
    return this.authenticated ? 'idle' : 'unauthenticated';
  }

  /** Destroys the session, the TLS socket and the raw socket: any of them may have missed the end of another. */
  destroy(reason: CloseReason): void {
    this.reason ??= reason;
    this.session?.destroy();
    this.tls?.destroy();
    this.socket.destroy();
  }

  /** Ends the connection gracefully: the client sends no further requests, and loses none. */
  retire(reason: CloseReason, tick: number): void {
    if (this.retiredTick !== undefined) return;
    this.reason ??= reason;
    this.retiredTick = tick;
    if (this.session !== undefined) this.session.close();
    else if (this.exchanges === 0) this.destroy(reason);
  }
}
