import { randomUUID } from 'node:crypto';
import { Client, credentials, Metadata, status as statusCodes } from '@grpc/grpc-js';
import { isCallFailure, type Rpc, unaryCall } from '../../grpc/index.ts';
import { limits } from '../../meta/index.ts';
import type { KeySource } from './encrypted-object.ts';
import { type KmsConfiguration, socketAddress } from './kms-configuration.ts';
import type { ProviderMetrics } from './kms-metrics.ts';
import { decryptRpc, type Encrypted, encryptRpc, type KmsStatus, statusRpc } from './kms-messages.ts';

/** A failed call to a plugin; the message is that of gRPC for Go. */
class KmsCallError extends Error {
  override readonly name = 'KmsCallError';
}

/**
 * A connection to a KMS v2 plugin, opened by the first call and again after it breaks. Calls throw {@link
 * KmsCallError}.
 */
export class KmsClient {
  readonly #client: Client;
  readonly #timeoutMs: number;
  readonly #metrics: Pick<ProviderMetrics, 'called'>;
  #underWay = 0;
  #closing = false;

  constructor({ endpoint, timeoutMs }: KmsConfiguration, metrics: Pick<ProviderMetrics, 'called'>) {
    this.#metrics = metrics;
    this.#timeoutMs = timeoutMs;
    this.#client = new Client(socketAddress(endpoint), credentials.createInsecure(), {
      'grpc.default_authority': 'localhost',
      // Reconnects to a restarted plugin before the next call times out.
      'grpc.initial_reconnect_backoff_ms': limits.kmsReconnectMs,
      'grpc.min_reconnect_backoff_ms': limits.kmsReconnectMs,
      'grpc.max_reconnect_backoff_ms': limits.kmsReconnectMs,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.service_config_disable_resolution': 1,
      'grpc.enable_retries': 0,
      'grpc.enable_channelz': 0,
      'grpc.enable_http_proxy': 0,
    });
  }

  status(): Promise<KmsStatus> {
    return this.#call(statusRpc, null);
  }

  encrypt(plaintext: Uint8Array, uid: string): Promise<Encrypted> {
    return this.#call(encryptRpc, { uid, plaintext });
  }

  async decrypt({ encryptedSource, keyId, annotations }: KeySource): Promise<Uint8Array> {
    const request = { uid: randomUUID(), ciphertext: encryptedSource, keyId, annotations };
    return (await this.#call(decryptRpc, request)).plaintext;
  }

  /** Lets running calls finish: each has a timeout. */
  close(): void {
    this.#closing = true;
    if (this.#underWay === 0) this.#client.close();
  }

  /** A call waits for the connection within its own timeout. */
  async #call<Q, R>(rpc: Rpc<Q, R>, request: Q): Promise<R> {
    if (this.#closing)
      throw new KmsCallError('rpc error: code = Canceled desc = grpc: the client connection is closing');
    this.#underWay += 1;
    const metadata = new Metadata({ waitForReady: true });
    const deadlineMs = Date.now() + this.#timeoutMs;
    const startedMs = performance.now();
    let code = 'OK';
    try {
      const options = { metadata, deadlineMs, signal: undefined };
      return await unaryCall(this.#client.getChannel(), { rpc, request }, options);
    } catch (error) {
      code = isCallFailure(error) ? codeText(error.code) : 'unknown-non-grpc';
      const text = isCallFailure(error) ? `rpc error: code = ${code} desc = ${error.details}` : String(error);
      throw new KmsCallError(text, { cause: error });
    } finally {
      this.#metrics.called(rpc.path, { seconds: (performance.now() - startedMs) / 1000, code });
      this.#underWay -= 1;
      if (this.#closing) this.close();
    }
  }
}

/** Go's name for a code: `DEADLINE_EXCEEDED` is `DeadlineExceeded`. */
function codeText(code: number): string {
  if (code === statusCodes.CANCELLED) return 'Canceled';
  const words = (statusCodes[code] ?? `Code(${code})`).split('_');
  return words.map((word) => word.slice(0, 1) + word.slice(1).toLowerCase()).join('');
}
