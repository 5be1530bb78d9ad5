import type { MetricFamily } from '../metrics/index.ts';

/** The protocol of a connection. */
export type Protocol = 'HTTP/1.1' | 'HTTP/2';

/** Why a connection was closed, in metrics and logs. */
export type CloseReason =
  | 'closed by the client'
  | 'no TLS handshake in time'
  | 'failed TLS handshake'
  | 'not authenticated in time'
  | 'refused anonymous request'
  | 'idle'
  | 'no answer to a ping'
  | 'protocol error'
  | 'too many stream resets'
  | 'request body too slow'
  | 'answer not read'
  | 'too many connections'
  | 'too many connections of one address'
  | 'server closes';

/** Counts connections for `/metrics`. */
export class ConnectionCounts {
  readonly #open = new Map<string, number>();
  readonly #closed = new Map<CloseReason, number>();

  /** A connection was accepted or changed its protocol: decrements the first, increments the second. */
  moved(from: Protocol | 'handshake' | undefined, to: Protocol | 'handshake' | undefined): void {
    if (from !== undefined) this.#open.set(from, (this.#open.get(from) ?? 0) - 1);
    if (to !== undefined) this.#open.set(to, (this.#open.get(to) ?? 0) + 1);
  }

  closed(reason: CloseReason): void {
    this.#closed.set(reason, (this.#closed.get(reason) ?? 0) + 1);
  }

  /** The connection metrics of `/metrics`. */
  families(): readonly MetricFamily[] {
    const openFamily: MetricFamily = {
      kind: 'gauge',
      name: 'ilk_open_connections',
      help: 'Number of open connections, by protocol.',
      labelNames: ['protocol'],
      read: () => [...this.#open].map(([protocol, value]) => ({ labels: { protocol }, value })),
    };
    const closedFamily: MetricFamily = {
      kind: 'counter',
      name: 'ilk_closed_connections_total',
      help: 'Number of connections closed or refused, by reason.',
      labelNames: ['reason'],
      read: () => [...this.#closed].map(([reason, value]) => ({ labels: { reason }, value })),
    };
    return [openFamily, closedFamily];
  }
}
