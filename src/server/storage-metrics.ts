import { Counter, Registry as PromRegistry } from 'prom-client';
import { DurationHistogram } from '../http/index.ts';
import type { Buckets } from '../flowcontrol/index.ts';
import type { Clock } from '../meta/index.ts';
import { type Commit, mapWatch, type Store, type StoreWatch } from '../storage/index.ts';

/** The labels of a count: an operation on the objects of a resource. */
interface Labels {
  readonly operation: string;
  readonly group: string;
  readonly resource: string;
}

const labelNames = ['operation', 'group', 'resource'] as const;

/** Upstream's. Source: apiserver, storage/etcd3/metrics/metrics.go. */
const bounds = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** Received events that are not yet in the metrics. */
interface Received {
  readonly labels: Pick<Labels, 'group' | 'resource'>;
  count: number;
}

/** Counts that are not yet in the metrics. */
interface Tally {
  readonly labels: Labels;
  requests: number;
  errors: number;
  readonly durations: Buckets;
}

/**
 * Counts the requests to etcd and their durations, under upstream's names. Counts are collected first and added to
 * the metrics on a scrape, because checking and hashing labels takes longer than everything else here.
 */
export class StorageMetrics {
  readonly #clock: Clock;
  readonly #prom = new PromRegistry();
  readonly #requests: Counter;
  readonly #errors: Counter;
  readonly #duration: DurationHistogram;
  readonly #events: Counter;
  readonly #tallies = new Map<string, Tally>();
  /** Uncounted events by group and resource. */
  readonly #received = new Map<string, Received>();

  constructor(clock: Clock) {
    this.#clock = clock;
    const registers = [this.#prom];
    this.#requests = new Counter({
      name: 'etcd_requests_total',
      help: 'Etcd request counts for each operation and object type.',
      labelNames,
      registers,
    });
    this.#errors = new Counter({
      name: 'etcd_request_errors_total',
      help: 'Etcd failed request counts for each operation and object type.',
      labelNames,
      registers,
    });
    this.#duration = new DurationHistogram({
      name: 'etcd_request_duration_seconds',
      help: 'Etcd request latency in seconds for each operation and object type.',
      bounds,
    });
    this.#events = new Counter({
      name: 'apiserver_storage_events_received_total',
      help: 'Number of etcd events received split by kind.',
      labelNames: ['group', 'resource'],
      registers,
    });
  }

  /** In the Prometheus text format. */
  async metrics(): Promise<string> {
    for (const tally of this.#tallies.values()) this.#tell(tally);
    for (const received of this.#received.values()) {
      if (received.count > 0) this.#events.inc({ ...received.labels }, received.count);
      received.count = 0;
    }
    return `${await this.#prom.metrics()}${this.#duration.text()}`;
  }

  /** Wraps a store to count its operations. */
  observe(store: Store): Store {
    return {
      get tellsTrueProgress() {
        return store.tellsTrueProgress;
      },
      get knownRevision() {
        return store.knownRevision;
      },
      revision: () => this.#count('getCurrentRevision', '', () => store.revision()),
      get: (key, options) => this.#count('get', key, () => store.get(key, options)),
      list: (range, options) => this.#count('list', range.start, () => store.list(range, options)),
      commit: (commit) => this.#count(operationOf(commit), commit.key, () => store.commit(commit)),
      compact: (revision) => this.#count('compact', '', () => store.compact(revision)),
      compactRevision: () => store.compactRevision(),
      watch: (range, options) =>
        this.#observeWatch(store.watch(range, options), this.#receivedOf(range.start)),
      close: () => store.close(),
    };
  }

  async #count<T>(operation: string, key: string, call: () => Promise<T>): Promise<T> {
    const tally = this.#tallyOf(operation, collectionOf(key));
    const startedMs = this.#clock.now();
    tally.requests += 1;
    try {
      return await call();
    } catch (error) {
      tally.errors += 1;
      throw error;
    } finally {
      tally.durations.observe((this.#clock.now() - startedMs) / 1000);
    }
  }

  #tallyOf(operation: string, collection: string): Tally {
    const name = `${operation}${collection}`;
    const known = this.#tallies.get(name);
    if (known !== undefined) return known;
    const labels = { operation, ...resourceOf(collection) };
    const durations = this.#duration.series({ ...labels });
    const made = { labels, requests: 0, errors: 0, durations };
    this.#tallies.set(name, made);
    return made;
  }

  #tell(tally: Tally): void {
    const labels = { ...tally.labels };
    if (tally.requests > 0) this.#requests.inc(labels, tally.requests);
    if (tally.errors > 0) this.#errors.inc(labels, tally.errors);
    tally.requests = 0;
    tally.errors = 0;
  }

  #receivedOf(key: string): Received {
    const collection = collectionOf(key);
    const known = this.#received.get(collection);
    if (known !== undefined) return known;
    const made = { labels: resourceOf(collection), count: 0 };
    this.#received.set(collection, made);
    return made;
  }

  #observeWatch(watch: StoreWatch, received: Received): StoreWatch {
    return mapWatch(watch, (message) => {
      received.count += message.events.length;
      return message;
    });
  }
}

function operationOf({ value, expect }: Commit): string {
  if (value === null) return 'delete';
  return expect === 0 ? 'create' : 'update';
}

/**
 * The part of a key that identifies the resource: `/registry/example.com/widgets`, or `/registry/namespaces`; only
 * groups contain a dot.
 */
function collectionOf(key: string): string {
  const root = key.indexOf('/', 1);
  const first = stepEnd(key, root);
  if (root === -1 || !key.slice(root, first).includes('.')) return key.slice(0, first);
  return key.slice(0, stepEnd(key, first));
}

/** The end of the key segment that starts at a slash. */
function stepEnd(key: string, slash: number): number {
  const end = slash === -1 ? -1 : key.indexOf('/', slash + 1);
  return end === -1 ? key.length : end;
}

function resourceOf(collection: string): Pick<Labels, 'group' | 'resource'> {
  const [, , first = '', second] = collection.split('/');
  return second === undefined ? { group: '', resource: first } : { group: first, resource: second };
}
