import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientDuplexStream, Metadata } from '@grpc/grpc-js';
import { type CallFailure, isCallFailure, type Rpc } from '../../grpc/index.ts';
import { StoreError } from '../store.ts';
import { Connection } from './connection.ts';
import { Endpoints } from './endpoints.ts';
import { judge, storeErrorOf, unknownOutcome } from './etcd-error.ts';
import {
  authenticateRpc,
  type StatusResponse,
  statusRpc,
  type WatchRequest,
  type WatchResponse,
  watchRpc,
} from './messages.ts';
import { defaultLimits, defaultTiming, type EtcdOptions, type EtcdTiming, type EtcdUser } from './options.ts';

/** How a call is to be treated. */
export interface CallPolicy {
  /** True for what may be done twice: then it is tried again until that is hopeless. */
  readonly repeatable: boolean;
  /** True for a read so small that a member which is well answers it at once. */
  readonly brief?: boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A stream of watches, and the member at its other end. */
export interface OpenStream {
  readonly stream: ClientDuplexStream<WatchRequest, WatchResponse>;
  readonly status: StatusResponse;
  /** Reports that the stream broke: the next one uses another endpoint. */
  failed(): void;
  /** Reports that the token was rejected: the next call gets a new one. */
  forgetToken(): void;
}

/**
 * Calls any member of etcd. Idempotent calls are retried; a write is retried only if etcd has not processed it, because
 * it must not be applied twice.
 */
export class EtcdClient {
  readonly #timing: EtcdTiming;
  readonly #endpoints: Endpoints;
  readonly #user: EtcdUser | undefined;
  /** How often in a row a stream could not be opened. */
  #openFailures = 0;
  #identity: Promise<Metadata> | undefined;
  /** What {@link #identity} has become. */
  #identified: Metadata | undefined;

  /** @throws {StoreError} `refused` for an endpoint that is no address */
  constructor(options: EtcdOptions, random: () => number) {
    const { endpoints, tls, user, timing, limits } = options;
    this.#timing = { ...defaultTiming, ...timing };
    this.#user = user;
    const reach = { tls, timing: this.#timing, limits: { ...defaultLimits, ...limits } };
    const connections = endpoints.map((url) => new Connection(url, reach));
    if (connections.length === 0) throw new StoreError('refused', 'no address of etcd was given');
    this.#endpoints = new Endpoints(connections, Math.floor(random() * connections.length), this.#timing);
  }

  get timing(): EtcdTiming {
    return this.#timing;
  }

  /** Whether there is another member to go to. */
  get several(): boolean {
    return this.#endpoints.several;
  }

  /**
   * @throws {StoreError} etcd's error; `unavailable` if etcd does not respond (then nothing was written), and
   *   `outcome-unknown` if it does not respond to a write that was sent
   */
  call<Q, R>(rpc: Rpc<Q, R>, request: Q, policy: CallPolicy): Promise<R> {
    return this.#attempts(rpc, request, policy, () => this.#identify());
  }

  /** Opens a stream of watches at a member that has a leader, and asks who that member is. */
  async openStream(signal: AbortSignal): Promise<OpenStream> {
    const metadata = await this.#identify();
    const connection = await this.#endpoints.ready(signal);
    const failed = () => this.#endpoints.failed(connection);
    const forgetToken = () => this.#forget(metadata);
    try {
      const timeoutMs = this.#timeoutMs({ repeatable: true, brief: true }, this.#openFailures);
      this.#openFailures += 1;
      const options = { metadata, timeoutMs, signal, beside: 'watches' } as const;
      const status = await connection.call(statusRpc, null, options);
      this.#openFailures = 0;
      this.#endpoints.answered();
      return { stream: connection.stream(watchRpc, metadata), status, failed, forgetToken };
    } catch (error) {
      signal.throwIfAborted();
      if (!isCallFailure(error)) throw error;
      this.#check(error, { connection, metadata }, { repeatable: true });
      throw storeErrorOf(error, 'unavailable');
    }
  }

  /** A token was of no use: the next call gets a new one, unless another call has had the same experience before. */
  #forget(metadata: Metadata): void {
    if (this.#identified !== metadata) return;
    this.#identified = undefined;
    this.#identity = undefined;
  }

  /** Waits for the backoff of a number of failures. */
  async #pause(attempt: number): Promise<void> {
    const { retryMsMin, retryMsMax } = this.#timing;
    await sleep(Math.min(retryMsMin * 2 ** Math.min(attempt, 20), retryMsMax));
  }

  close(): void {
    this.#endpoints.close();
  }

  async #attempts<Q, R>(
    rpc: Rpc<Q, R>,
    request: Q,
    policy: CallPolicy,
    identify: () => Promise<Metadata>,
  ): Promise<R> {
    const { signal } = policy;
    const giveUpMs = this.#endpoints.giveUpMs();
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted();
      const metadata = await identify();
      const connection = await this.#endpoints.ready(signal);
      const timeoutMs = this.#timeoutMs(policy, attempt);
      try {
        const response = await connection.call(rpc, request, { metadata, timeoutMs, signal });
        this.#endpoints.answered();
        return response;
      } catch (error) {
        signal?.throwIfAborted();
        if (!isCallFailure(error)) throw error;
        this.#check(error, { connection, metadata }, policy);
        if (Date.now() >= giveUpMs) throw storeErrorOf(error, 'unavailable');
      }
      await this.#pause(attempt);
    }
  }

  /** A frozen member whose connections stay open is only detected by a timeout. */
  #timeoutMs({ brief, timeoutMs = this.#timing.callMsMax }: CallPolicy, attempt: number): number {
    if (brief !== true || !this.#endpoints.several) return timeoutMs;
    return Math.min(timeoutMs, this.#timing.stallMsMax * 2 ** Math.min(attempt, 20));
  }

  /** Throws final errors; returns if the call can be retried. */
  #check(
    error: Error & CallFailure,
    { connection, metadata }: { readonly connection: Connection; readonly metadata: Metadata },
    { repeatable }: CallPolicy,
  ): void {
    const verdict = judge(error);
    if (verdict.kind === 'final') {
      this.#endpoints.answered();
      throw storeErrorOf(error, verdict.code);
    }
    if (verdict.kind === 'unauthenticated') {
      this.#forget(metadata);
      return;
    }
    this.#endpoints.failed(connection);
    if (!repeatable && !verdict.nothingWritten) throw unknownOutcome(error);
  }

  /**
   * Metadata of every call: the credentials, and that a member without a leader must refuse the call instead of waiting
   * for a leader.
   */
  #identify(): Promise<Metadata> {
    this.#identity ??= this.#authenticate().then(
      (metadata) => {
        this.#identified = metadata;
        return metadata;
      },
      (error: unknown) => {
        this.#identity = undefined;
        throw error;
      },
    );
    return this.#identity;
  }

  async #authenticate(): Promise<Metadata> {
    const metadata = new Metadata();
    metadata.set('hasleader', 'true');
    if (this.#user === undefined) return metadata;
    const policy = { repeatable: true };
    const { token } = await this.#attempts(authenticateRpc, this.#user, policy, async () => metadata);
    const known = metadata.clone();
    known.set('token', token);
    return known;
  }
}
