import { setTimeout as sleep } from 'node:timers/promises';
import { closedError } from '../closed.ts';
import { StoreError } from '../store.ts';
import type { Connection } from './connection.ts';
import type { EtcdTiming } from './options.ts';

/** How long one wait for any of the connections lasts before it is looked around again. */
const lookAroundMs = 1_000;

/**
 * The addresses of one etcd, and the one in use, which is kept until it fails, because all members are equal.
 *
 * After all are lost, calls wait for a while, because a restarted etcd is soon back; when it
 * is down for longer, they fail at once, so that no calls queue up.
 */
export class Endpoints {
  readonly #connections: readonly Connection[];
  readonly #timing: EtcdTiming;
  #current: number;
  /** Since when no call was answered; undefined while they are. */
  #downSinceMs: number | undefined;
  #closed = false;

  /** Starts with the connection at `first`, so that replicas spread over the members. */
  constructor(connections: readonly Connection[], first: number, timing: EtcdTiming) {
    this.#connections = connections;
    this.#timing = timing;
    this.#current = first % connections.length;
  }

  get several(): boolean {
    return this.#connections.length > 1;
  }

  /**
   * A connection that a call can be sent on.
   *
   * @throws {StoreError} `unavailable` where there is none in time, `closed`; or the reason of the signal
   */
  async ready(signal?: AbortSignal): Promise<Connection> {
    if (this.#closed) throw closedError();
    const at = this.#readyIndex();
    if (at === undefined) return this.#wait(signal);
    this.#current = at;
    return this.#at(at);
  }

  /** When a call that begins now should give up: soon, where etcd has been away for long. */
  giveUpMs(): number {
    const nowMs = Date.now();
    const { patienceMs, hurriedMs } = this.#timing;
    return Math.max((this.#downSinceMs ?? nowMs) + patienceMs, nowMs + hurriedMs);
  }

  /** A call was answered, if only by a refusal. */
  answered(): void {
    this.#downSinceMs = undefined;
  }

  /** A call got no answer: the next call uses another endpoint, if there is one. */
  failed(connection: Connection): void {
    this.#downSinceMs ??= Date.now();
    if (this.#at(this.#current) !== connection) return;
    this.#current = (this.#current + 1) % this.#connections.length;
    this.#at(this.#current).wake();
  }

  /** Ends all waits. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#connections) connection.close();
  }

  #at(index: number): Connection {
    const connection = this.#connections[index];
    if (connection === undefined) throw new Error('there is no such endpoint');
    return connection;
  }

  /** The first that is ready, from the one in use on. */
  #readyIndex(): number | undefined {
    const count = this.#connections.length;
    for (let step = 0; step < count; step++) {
      const index = (this.#current + step) % count;
      if (this.#at(index).ready) return index;
    }
    return undefined;
  }

  async #wait(signal: AbortSignal | undefined): Promise<Connection> {
    this.#downSinceMs ??= Date.now();
    const endMs = this.giveUpMs();
    for (;;) {
      signal?.throwIfAborted();
      const deadlineMs = Math.min(endMs, Date.now() + lookAroundMs);
      await Promise.any(this.#connections.map((one) => one.whenReady(deadlineMs))).catch(() => {});
      if (this.#closed) throw closedError();
      const at = this.#readyIndex();
      if (at !== undefined) {
        this.#current = at;
        return this.#at(at);
      }
      if (Date.now() >= endMs) throw await this.#unreachable();
      // A closed connection reports this at once, and repeatedly.
      await sleep(this.#timing.retryMsMin);
    }
  }

  async #unreachable(): Promise<StoreError> {
    const reasons = await Promise.all(
      this.#connections.map(async (one) => `${one.url} (${await one.whyNot()})`),
    );
    return new StoreError('unavailable', `etcd cannot be reached at ${reasons.join(', ')}`);
  }
}
