import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../auth/index.ts';
import { limits } from '../../meta/index.ts';
import type { CloseReason, Protocol } from './connection-counts.ts';

/**
 * Where a connection is: its TLS handshake is not over; nobody has authenticated on it; requests are under way; or it
 * is kept for the next one.
 */
type ConnectionState = 'handshaking' | 'unauthenticated' | 'active' | 'idle';

/** One connection, from the raw socket up. Times are ticks of the guard, which changes what stands here. */
export class Connection {
  readonly socket: Socket;
  /** The address of the client; empty where it is gone already. */
  readonly address: string;
  protocol: Protocol | undefined;
  tls: TLSSocket | undefined;
  session: ServerHttp2Session | undefined;
  certificate: ClientCertificate | undefined;
  authenticated = false;
  /** Who asked on it last, or its address: those whose requests take turns before it is known who asks. */
  flow: string;
  /** Pages that it may still get before somebody authenticates. */
  pagesLeft = limits.pagesPerConnectionMax;
  /** Requests under way. */
  exchanges = 0;
  /** When it was accepted, or its handshake was over. */
  openedTick: number;
  /** When its last answer was sent. */
  idleSinceTick: number;
  /** When bytes came last, as far as a sweep has seen it. */
  heardTick: number;
  bytesRead = 0;
  /** When it was asked to end once its requests are answered. */
  retiredTick: number | undefined;
  /** Streams that the client may still reset, filled up again as time passes. */
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

  /** Ends the session, the TLS socket and the raw socket: any of them may have missed that another one is over. */
  destroy(reason: CloseReason): void {
    this.reason ??= reason;
    this.session?.destroy();
    this.tls?.destroy();
    this.socket.destroy();
  }

  /** Ends the connection once its requests are answered: the client sends no further ones, and loses none. */
  retire(reason: CloseReason, tick: number): void {
    if (this.retiredTick !== undefined) return;
    this.reason ??= reason;
    this.retiredTick = tick;
    if (this.session !== undefined) this.session.close();
    else if (this.exchanges === 0) this.destroy(reason);
  }
}
