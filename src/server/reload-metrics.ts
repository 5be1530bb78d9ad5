import { Counter, Gauge, Registry as PromRegistry } from 'prom-client';

/** Files that are read again while a server runs. */
export type ReloadedConfiguration = 'authentication' | 'authorization' | 'encryption';

interface ReloadMetricsOptions {
  /** Tells servers apart whose metrics are collected together: a hash of the name of the machine. */
  readonly serverHash: string;
}

const labelNames = ['status', 'apiserver_id_hash'] as const;

class Counts {
  readonly reloads: Counter;
  readonly last: Gauge;

  constructor(what: ReloadedConfiguration, registers: PromRegistry[]) {
    const prefix = `apiserver_${what}_config_controller_automatic_reload`;
    this.reloads = new Counter({
      name: `${prefix}s_total`,
      help: `Total number of automatic reloads of ${what} configuration split by status and apiserver identity.`,
      labelNames,
      registers,
    });
    this.last = new Gauge({
      name: `${prefix}_last_timestamp_seconds`,
      help: `Timestamp of the last automatic reload of ${what} configuration split by status and apiserver identity.`,
      labelNames,
      registers,
    });
  }
}

/** Counts how often configuration files were read again, under upstream's names. */
export class ReloadMetrics {
  readonly #prom = new PromRegistry();
  readonly #counts = new Map<ReloadedConfiguration, Counts>();
  readonly #options: ReloadMetricsOptions;

  constructor(options: ReloadMetricsOptions) {
    this.#options = options;
  }

  /** As a scraper reads them. */
  async metrics(): Promise<string> {
    return this.#counts.size === 0 ? '' : this.#prom.metrics();
  }

  /** Counts a new content of a file, which was taken or refused. */
  observe(what: ReloadedConfiguration, status: 'success' | 'failure', nowMs: number): void {
    const counts = this.#counts.get(what) ?? new Counts(what, [this.#prom]);
    this.#counts.set(what, counts);
    const labels = { status, apiserver_id_hash: this.#options.serverHash };
    counts.reloads.inc(labels);
    counts.last.set(labels, nowMs / 1_000);
  }
}
