import { Counter, Gauge, Registry as PromRegistry } from 'prom-client';

/** The configuration files that are reloaded at run time. */
export type ReloadedConfiguration = 'authentication' | 'authorization' | 'encryption';

interface ReloadMetricsOptions {
  /** Identifies a server in collected metrics: a hash of the host name. */
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

/** Counts reloads of configuration files, under upstream's names. */
export class ReloadMetrics {
  readonly #prom = new PromRegistry();
  readonly #counts = new Map<ReloadedConfiguration, Counts>();
  readonly #options: ReloadMetricsOptions;

  constructor(options: ReloadMetricsOptions) {
    this.#options = options;
  }

  /** In the Prometheus text format. */
  async metrics(): Promise<string> {
    return this.#counts.size === 0 ? '' : this.#prom.metrics();
  }

  /** Counts a new content of a file, applied or refused. */
  observe(what: ReloadedConfiguration, status: 'success' | 'failure', nowMs: number): void {
    const counts = this.#counts.get(what) ?? new Counts(what, [this.#prom]);
    this.#counts.set(what, counts);
    const labels = { status, apiserver_id_hash: this.#options.serverHash };
    counts.reloads.inc(labels);
    counts.last.set(labels, nowMs / 1_000);
  }
}
