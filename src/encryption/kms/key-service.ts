import { type Clock, limits, type Timers } from '../../meta/index.ts';
import type { PrefixedTransformer } from '../prefixed.ts';
import { DataKeys } from './data-keys.ts';
import { keyIdFault } from './encrypted-object.ts';
import { envelope } from './envelope.ts';
import type { KmsClient } from './kms-client.ts';
import { KmsMetrics, type ProviderMetrics } from './kms-metrics.ts';
import type { KmsConfiguration } from './kms-configuration.ts';
import type { KmsStatus } from './kms-messages.ts';
import { keyIdHash, makeWriteKey, noWriteKey, type WriteKey } from './write-key.ts';

/** The common dependencies of KMS plugins. */
export interface KeyServiceParts {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called with the error of a plugin, once per transition from healthy to failing. */
  readonly onTrouble: (error: unknown) => void;
  /** Counts what the plugins do; servers that replace their configuration keep the same one. */
  readonly kmsMetrics?: KmsMetrics;
}

interface Outcome {
  readonly fault: string | undefined;
  readonly atMs: number;
}

/**
 * A KMS v2 plugin. Its status is read every minute, and a new data key is requested when its key ID changes. Writes are
 * possible for three minutes after the last healthy status, reads as long as it responds.
 *
 * Source of rules and messages: apiserver, server/options/encryptionconfig/config.go.
 */
export class KeyService {
  readonly provider: PrefixedTransformer;
  readonly #configuration: KmsConfiguration;
  readonly #parts: KeyServiceParts;
  readonly #keys: DataKeys;
  readonly #metrics: ProviderMetrics;
  #client: KmsClient | undefined;
  #writeKey: WriteKey | undefined;
  /** The first version that the plugin returned: it must not change. */
  #version: string | undefined;
  #last: Outcome | undefined;
  #checking: Promise<Outcome> | undefined;
  #cancelPoll = () => {};
  #closed = false;

  constructor(configuration: KmsConfiguration, parts: KeyServiceParts) {
    this.#configuration = configuration;
    this.#parts = parts;
    const metrics = (parts.kmsMetrics ?? new KmsMetrics(parts.clock)).of(configuration.name);
    this.#metrics = metrics;
    this.#keys = new DataKeys(metrics.cached);
    const transformer = envelope({
      clock: parts.clock,
      keys: this.#keys,
      metrics,
      decrypt: async (source) => this.#connected().decrypt(source),
      writeKey: () => this.#writeKey ?? this.#withoutKey(),
    });
    this.provider = { prefix: Buffer.from(`k8s:enc:kms:v2:${configuration.name}:`), transformer };
  }

  /**
   * Calls the plugin for the first time, then in the background. A failing plugin is not an error here: it may start
   * later.
   */
  async start(): Promise<void> {
    const { KmsClient: Loaded } = await import('./kms-client.ts');
    if (this.#closed) return;
    this.#client = new Loaded(this.#configuration, this.#metrics);
    await this.#poll();
  }

  /** Rejects with the plugin's error. Uses the last status if it is recent. */
  async check(): Promise<void> {
    const { fault } = await this.#outcome();
    if (fault !== undefined) throw new Error(fault);
  }

  close(): void {
    this.#closed = true;
    this.#cancelPoll();
    this.#client?.close();
  }

  #connected(): KmsClient {
    if (this.#client === undefined) throw new Error('the key service was not started');
    return this.#client;
  }

  #withoutKey(): string {
    const fault = this.#last?.fault;
    return fault === undefined ? noWriteKey : `${noWriteKey}: ${fault}`;
  }

  async #poll(): Promise<void> {
    const { fault } = await this.#outcome();
    if (this.#closed) return;
    const delayMs = fault === undefined ? limits.kmsPollMs : limits.kmsRetryMs;
    this.#cancelPoll = this.#parts.timers.after(delayMs, () => void this.#poll());
  }

  async #outcome(): Promise<Outcome> {
    const last = this.#last;
    if (last !== undefined) {
      const freshMs = last.fault === undefined ? limits.kmsHealthyMs : limits.kmsUnhealthyMs;
      if (this.#parts.clock.now() - last.atMs < freshMs) return last;
    }
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #ask(): Promise<Outcome> {
    const fault = await this.#fault();
    const { clock, onTrouble } = this.#parts;
    if (fault !== undefined && this.#last?.fault === undefined && !this.#closed) onTrouble(new Error(fault));
    this.#last = { fault, atMs: clock.now() };
    return this.#last;
  }

  async #fault(): Promise<string | undefined> {
    const { name } = this.#configuration;
    let status: KmsStatus;
    try {
      status = await this.#connected().status();
    } catch (error) {
      return `failed to perform status section of the healthz check for KMS Provider ${name}, error: ${textOf(error)}`;
    }
    const faults = [...this.#statusFaults(status)];
    const key = await this.#keyFault(status);
    if (key !== undefined) faults.push(key);
    if (faults.length === 0) return undefined;
    const all = faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`;
    return `kmsv2 Provider ${name} is not healthy, error: ${all}`;
  }

  *#statusFaults({ healthz, version }: KmsStatus): Generator<string> {
    if (healthz !== 'ok') yield `got unexpected healthz status: ${healthz}`;
    if (version !== 'v2' && version !== 'v2beta1')
      return yield `expected KMSv2 API version v2, got ${version}`;
    this.#version ??= version;
    if (version !== this.#version)
      yield `KMSv2 API version should not change after the initial status response version ${this.#version}, got ${version}`;
  }

  async #keyFault({ keyId }: KmsStatus): Promise<string | undefined> {
    const invalid = keyIdFault(keyId);
    if (invalid !== undefined) this.#metrics.invalid(keyId === '' ? 'empty' : 'too_long');
    else this.#metrics.shown(keyId);
    if (invalid !== undefined) return `got invalid KMSv2 KeyID hash "${keyIdHash(keyId)}": ${invalid}`;
    const expiresMs = this.#parts.clock.now() + limits.kmsWriteKeyMs;
    const present = this.#writeKey;
    try {
      const isCurrent = present !== undefined && present.source.keyId === keyId;
      this.#writeKey = isCurrent
        ? { ...present, expiresMs }
        : await makeWriteKey(this.#connected(), { keyId, present, expiresMs });
      if (!isCurrent) this.#keys.set(this.#writeKey.hash, this.#writeKey.cipher);
      return undefined;
    } catch (error) {
      return textOf(error);
    }
  }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
