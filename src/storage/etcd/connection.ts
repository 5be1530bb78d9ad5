import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  type ClientOptions,
  connectivityState,
  credentials,
  Metadata,
} from '@grpc/grpc-js';
import { isCallFailure, type Rpc, unaryCall } from '../../grpc/index.ts';
import { StoreError } from '../store.ts';
import { statusRpc } from './messages.ts';
import type { EtcdLimits, EtcdTiming, EtcdTls } from './options.ts';

interface CallOptions {
  readonly metadata: Metadata;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Sends the call over the connection of the watches: if an address stands for several members, the same member most
   * likely answers.
   */
  readonly beside?: 'watches';
}

interface ConnectionOptions {
  readonly tls: EtcdTls | undefined;
  readonly timing: EtcdTiming;
  readonly limits: EtcdLimits;
}

/** An address of etcd, taken apart. */
interface Endpoint {
  readonly host: string;
  readonly port: string;
  readonly secure: boolean;
}

const endpointForm = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[^/:[\]\s]+)(?::([0-9]+))?\/?$/i;

/** @throws {StoreError} `refused` for an invalid address */
function parseEndpoint(text: string, tls: EtcdTls | undefined): Endpoint {
  const [found, scheme, host = '', port = '2379'] = endpointForm.exec(text) ?? [];
  if (found === undefined) {
    throw new StoreError(
      'refused',
      `${JSON.stringify(text)} is not an address of etcd: want https://host:2379`,
    );
  }
  return { host, port, secure: scheme === undefined ? tls !== undefined : scheme.toLowerCase() === 'https' };
}

/**
 * One address of etcd. Watches have a connection of their own, so that a long list does not hold up events.
 */
export class Connection {
  readonly url: string;
  readonly #endpoint: Endpoint;
  readonly #credentials: ChannelCredentials;
  readonly #options: ClientOptions;
  readonly #calls: Client;
  #watches: Client | undefined;

  /** @throws {StoreError} `refused` for an invalid address */
  constructor(url: string, { tls, timing, limits }: ConnectionOptions) {
    this.url = url;
    this.#endpoint = parseEndpoint(url, tls);
    this.#credentials = this.#endpoint.secure
      ? sslCredentials(this.#endpoint, tls ?? {})
      : credentials.createInsecure();
    this.#options = clientOptions(this.#endpoint, timing, limits);
    this.#calls = this.#newClient();
  }

  /** Whether a call would go out at once; wakes the connection where it would not. */
  get ready(): boolean {
    return this.wake() === connectivityState.READY;
  }

  /** Opens the connection, if there is none, before the next call needs it. */
  wake(): connectivityState {
    return this.#calls.getChannel().getConnectivityState(true);
  }

  /** Resolves when a call would go out at once. */
  whenReady(deadlineMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#calls.waitForReady(new Date(deadlineMs), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Why the connection is not ready, as gRPC reports it to a call that could not be sent. */
  async whyNot(): Promise<string> {
    try {
      await this.call(statusRpc, null, { metadata: new Metadata(), timeoutMs: whyNotMsMax });
      return 'it was away';
    } catch (error) {
      if (!isCallFailure(error)) throw error;
      return notSent.exec(error.details)?.[1] ?? error.details;
    }
  }

  /** Makes a call. Rejects with gRPC's error. */
  call<Q, R>(rpc: Rpc<Q, R>, request: Q, options: CallOptions): Promise<R> {
    const { metadata, timeoutMs, signal, beside } = options;
    const client = beside === 'watches' ? this.#watchClient() : this.#calls;
    const deadlineMs = Date.now() + timeoutMs;
    return unaryCall(client.getChannel(), { rpc, request }, { metadata, deadlineMs, signal });
  }

  /** Opens a stream of watches. */
  stream<Q, R>(rpc: Rpc<Q, R>, metadata: Metadata): ClientDuplexStream<Q, R> {
    return this.#watchClient().makeBidiStreamRequest(rpc.path, rpc.encode, rpc.decode, metadata);
  }

  close(): void {
    this.#calls.close();
    this.#watches?.close();
  }

  #watchClient(): Client {
    this.#watches ??= this.#newClient();
    return this.#watches;
  }

  #newClient(): Client {
    const { host, port } = this.#endpoint;
    return new Client(`${host}:${port}`, this.#credentials, this.#options);
  }
}

/** gRPC's error text, of which only the middle is useful. */
const notSent = /^No connection established\. Last error: (?:Error: )?(.*?)(?:\. Resolution note.*)?$/s;

/** How long to wait for the error of a connection that is being established. */
const whyNotMsMax = 100;

/** A name that no certificate has, for servers that are known by their address: TLS has no server names for those. */
const noName = 'etcd.invalid';

function sslCredentials({ host }: Endpoint, { caPem, certPem, keyPem }: EtcdTls): ChannelCredentials {
  const pem = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
  const address = host.replace(/^\[|\]$/g, '');
  const verify =
    isIP(address) === 0
      ? {}
      : {
          checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
            checkServerIdentity(address, certificate),
        };
  return credentials.createSsl(pem(caPem), pem(keyPem), pem(certPem), verify);
}

function clientOptions(
  { host, secure }: Endpoint,
  timing: EtcdTiming,
  { receiveBytesMax }: EtcdLimits,
): ClientOptions {
  const byAddress = secure && isIP(host.replace(/^\[|\]$/g, '')) !== 0;
  return {
    'grpc.keepalive_time_ms': timing.keepaliveMs,
    'grpc.keepalive_timeout_ms': timing.keepaliveTimeoutMs,
    'grpc.initial_reconnect_backoff_ms': timing.retryMsMin,
    'grpc.min_reconnect_backoff_ms': timing.retryMsMin,
    'grpc.max_reconnect_backoff_ms': timing.retryMsMax,
    'grpc.max_receive_message_length': receiveBytesMax,
    'grpc.max_send_message_length': -1,
    // A client is a connection here; without this, clients of the same address would share one.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.service_config_disable_resolution': 1,
    // `EtcdClient` decides about retries, and channel statistics are not used; together they cost a fifth of each call.
    'grpc.enable_retries': 0,
    'grpc.enable_channelz': 0,
    'grpc.enable_http_proxy': 0,
    ...(byAddress ? { 'grpc.ssl_target_name_override': noName } : {}),
  };
}
