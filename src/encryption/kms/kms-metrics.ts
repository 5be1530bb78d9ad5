import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../../meta/index.ts';
import { keyIdHash } from './write-key.ts';

/** What a value went through: it was decrypted or encrypted. */
type Transformation = 'from_storage' | 'to_storage';

const prefix = 'apiserver_envelope_encryption_';

/** Key IDs that have series, as upstream: a plugin names its keys. */
const keyIdsMax = 100;

interface KeyUse {
  readonly labels: Readonly<Record<string, string>>;
  count: number;
  atMs: number;
}

/**
 * Upstream's metrics of KMS plugins. There is no server identity, so `apiserver_id_hash` is empty. Uses are counted first
 * and turned into series by a scrape: values are encrypted and decrypted often. Source: apiserver,
 * storage/value/encrypt/envelope/metrics.
 */
export class KmsMetrics {
  readonly #clock: Clock;
  readonly #calls: Histogram;
  readonly #invalidKeyIds: Counter;
  #providers = 0;
  readonly #cached = new Map<string, number>();
  /** By transformation, provider and key ID; the least recently used one is dropped. */
  readonly #uses = new Map<string, KeyUse>();
  /** By provider and key ID, from the plugin's status. */
  readonly #statuses = new Map<string, KeyUse>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#calls = new Histogram({
      name: `${prefix}kms_operations_latency_seconds`,
      help: 'KMS operation duration with gRPC error code status total.',
      labelNames: ['provider_name', 'method_name', 'grpc_status_code'],
      buckets: Array.from({ length: 20 }, (_, index) => 0.0001 * 2 ** index),
      registers: [],
    });
    this.#invalidKeyIds = new Counter({
      name: `${prefix}invalid_key_id_from_status_total`,
      help: 'Number of times an invalid keyID is returned by the Status RPC call split by error.',
      labelNames: ['provider_name', 'error'],
      registers: [],
    });
  }

  /** The metrics of one plugin. */
  of(provider: string): ProviderMetrics {
    this.#providers += 1;
    return {
      used: (transformation, keyId) => {
        const labels = () => ({ transformation_type: transformation, ...keyLabels(provider, keyId) });
        this.#count(this.#uses, { key: `${transformation} ${provider} ${keyId}`, labels });
      },
      shown: (keyId) => {
        this.#count(this.#statuses, {
          key: `${provider} ${keyId}`,
          labels: () => keyLabels(provider, keyId),
        });
      },
      invalid: (error) => this.#invalidKeyIds.inc({ provider_name: provider, error }),
      called: (method_name, { seconds, code: grpc_status_code }) =>
        this.#calls.observe({ provider_name: provider, method_name, grpc_status_code }, seconds),
      cached: (keys) => void this.#cached.set(provider, keys),
    };
  }

  /** In Prometheus' text format; empty if there is no plugin. */
  async metrics(): Promise<string> {
    if (this.#providers === 0) return '';
    const registry = new Registry();
    const registers = [registry];
    const [calls, invalid] = [this.#calls, this.#invalidKeyIds];
    registry.registerMetric(calls);
    registry.registerMetric(invalid);
    const useLabels = ['transformation_type', ...keyLabelNames];
    const total = new Counter({
      name: `${prefix}key_id_hash_total`,
      help: 'Number of times a keyID is used split by transformation type, provider, and apiserver identity.',
      labelNames: useLabels,
      registers,
    });
    const lastUse = new Gauge({
      name: `${prefix}key_id_hash_last_timestamp_seconds`,
      help: 'The last time in seconds when a keyID was used.',
      labelNames: useLabels,
      registers,
    });
    for (const { labels, count, atMs } of this.#uses.values()) {
      total.inc(labels, count);
      lastUse.set(labels, atMs / 1000);
    }
    this.#addStatuses(registers);
    return registry.metrics();
  }

  #addStatuses(registers: Registry[]): void {
    const lastStatus = new Gauge({
      name: `${prefix}key_id_hash_status_last_timestamp_seconds`,
      help: 'The last time in seconds when a keyID was returned by the Status RPC call.',
      labelNames: keyLabelNames,
      registers,
    });
    for (const { labels, atMs } of this.#statuses.values()) lastStatus.set(labels, atMs / 1000);
    const cached = new Gauge({
      name: `${prefix}dek_source_cache_size`,
      help: 'Number of records in data encryption key (DEK) source cache. On a restart, this value is an approximation of the number of decrypt RPC calls the server will make to the KMS plugin.',
      labelNames: ['provider_name'],
      registers,
    });
    for (const [provider_name, keys] of this.#cached) cached.set({ provider_name }, keys);
  }

  #count(uses: Map<string, KeyUse>, { key, labels }: { key: string; labels: () => KeyUse['labels'] }): void {
    const use = uses.get(key) ?? { labels: labels(), count: 0, atMs: 0 };
    use.count += 1;
    use.atMs = this.#clock.now();
    uses.delete(key);
    uses.set(key, use);
    const [oldest] = uses.keys();
    if (uses.size > keyIdsMax && oldest !== undefined) uses.delete(oldest);
  }
}

/** What the parts of one plugin report. */
export interface ProviderMetrics {
  readonly used: (transformation: Transformation, keyId: string) => void;
  /** The plugin's status names this key. */
  readonly shown: (keyId: string) => void;
  readonly invalid: (error: 'empty' | 'too_long') => void;
  readonly called: (method: string, outcome: { readonly seconds: number; readonly code: string }) => void;
  /** How many decrypted data keys are kept. */
  readonly cached: (keys: number) => void;
}

const keyLabelNames = ['provider_name', 'key_id_hash', 'apiserver_id_hash'];

const keyLabels = (provider_name: string, keyId: string) => ({
  provider_name,
  key_id_hash: keyIdHash(keyId),
  apiserver_id_hash: '',
});
