import { Counter, Registry as PromRegistry } from 'prom-client';
import { DurationHistogram } from '../http/index.ts';
import type { Buckets } from '../flowcontrol/index.ts';
import type { Clock } from '../meta/index.ts';
import { type Commit, mapWatch, type Store, type StoreWatch } from '../storage/index.ts';

/** What is counted under: an operation on the objects of a resource. */
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

/** Events that came and were not yet told. */
interface Received {
  readonly labels: Pick<Labels, 'group' | 'resource'>;
  count: number;
}

/** What was counted but not yet told to the metrics. */
interface Tally {
  readonly labels: Labels;
  requests: number;
  errors: number;
  readonly durations: Buckets;
}

/**
 * Counts what a server asks of its etcd, and how long that takes, under upstream's names. It is tallied first and told to the
 * metrics when somebody reads them: checking and hashing labels takes longer than all else that is done here.
 */
export class StorageMetrics {
  readonly #clock: Clock;
  readonly #prom = new PromRegistry();
  readonly #requests: Counter;
  readonly #errors: Counter;
  readonly #duration: DurationHistogram;
  readonly #events: Counter;
  readonly #tallies = new Map<string, Tally>();
  /** Events that were not yet told, by group and resource. */
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

  /** As a scraper reads them. */
  async metrics(): Promise<string> {
    for (const tally of this.#tallies.values()) this.#tell(tally);
    for (const received of this.#received.values()) {
      if (received.count > 0) this.#events.inc({ ...received.labels }, received.count);
      received.count = 0;
    }
    return `${await this.#prom.metrics()}${this.#duration.text()}`;
  }

  /** The same store, with everything counted. */
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

/** What of a key tells the resource: `/registry/example.com/widgets`, or `/registry/namespaces`, as only groups have a dot. */
function collectionOf(key: string): string {
  const root = key.indexOf('/', 1);
  const first = stepEnd(key, root);
  if (root === -1 || !key.slice(root, first).includes('.')) return key.slice(0, first);
  return key.slice(0, stepEnd(key, first));
}

/** Where the step of a key ends that begins at a slash. */
function stepEnd(key: string, slash: number): number {
  const end = slash === -1 ? -1 : key.indexOf('/', slash + 1);
  return end === -1 ? key.length : end;
}

function resourceOf(collection: string): Pick<Labels, 'group' | 'resource'> {
  const [, , first = '', second] = collection.split('/');
  return second === undefined ? { group: '', resource: first } : { group: first, resource: second };
}
