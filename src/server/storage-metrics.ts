import { Counter, Histogram, Registry as PromRegistry } from 'prom-client';
import type { Clock } from '../meta/index.ts';
import type { Commit, Store, StoreWatch, WatchMessage } from '../storage/index.ts';

/** What is counted under: an operation on the objects of a resource. */
interface Labels {
  readonly operation: string;
  readonly group: string;
  readonly resource: string;
}

const labelNames = ['operation', 'group', 'resource'] as const;

/** Upstream's. Source: apiserver, storage/etcd3/metrics/metrics.go. */
const buckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** Counts what a server asks of its etcd, and how long that takes, under upstream's names. */
export class StorageMetrics {
  readonly #clock: Clock;
  readonly #prom = new PromRegistry();
  readonly #requests: Counter;
  readonly #errors: Counter;
  readonly #duration: Histogram;
  readonly #events: Counter;

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
    this.#duration = new Histogram({
      name: 'etcd_request_duration_seconds',
      help: 'Etcd request latency in seconds for each operation and object type.',
      labelNames,
      buckets,
      registers,
    });
    this.#events = new Counter({
      name: 'apiserver_storage_events_received_total',
      help: 'Number of etcd events received split by kind.',
      labelNames: ['group', 'resource'],
      registers,
    });
  }

  /** As a scraper reads them. */
  metrics(): Promise<string> {
    return this.#prom.metrics();
  }

  /** The same store, with everything counted. */
  observe(store: Store): Store {
    return {
      get tellsTrueProgress() {
        return store.tellsTrueProgress;
      },
      revision: () => this.#count(labelsOf('getCurrentRevision', ''), () => store.revision()),
      get: (key, options) => this.#count(labelsOf('get', key), () => store.get(key, options)),
      list: (range, options) => this.#count(labelsOf('list', range.start), () => store.list(range, options)),
      commit: (commit) => this.#count(labelsOf(operationOf(commit), commit.key), () => store.commit(commit)),
      compact: (revision) => this.#count(labelsOf('compact', ''), () => store.compact(revision)),
      compactRevision: () => store.compactRevision(),
      watch: (range, options) => this.#observeWatch(store.watch(range, options), labelsOf('', range.start)),
      close: () => store.close(),
    };
  }

  async #count<T>(labels: Labels, call: () => Promise<T>): Promise<T> {
    const startedMs = this.#clock.now();
    this.#requests.inc({ ...labels });
    try {
      return await call();
    } catch (error) {
      this.#errors.inc({ ...labels });
      throw error;
    } finally {
      this.#duration.observe({ ...labels }, (this.#clock.now() - startedMs) / 1000);
    }
  }

  #observeWatch(watch: StoreWatch, { group, resource }: Labels): StoreWatch {
    const note = ({ events }: WatchMessage) => this.#events.inc({ group, resource }, events.length);
    return {
      requestProgress: () => watch.requestProgress(),
      close: () => watch.close(),
      [Symbol.asyncIterator]: () => {
        const messages = watch[Symbol.asyncIterator]();
        return {
          async next() {
            const result = await messages.next();
            if (result.done !== true) note(result.value);
            return result;
          },
          return: async () => messages.return?.() ?? { done: true, value: undefined },
        };
      },
    };
  }
}

function operationOf({ value, expect }: Commit): string {
  if (value === null) return 'delete';
  return expect === 0 ? 'create' : 'update';
}

/** Of `/registry/example.com/widgets/...` or `/registry/namespaces/...`: only groups have a dot. */
function labelsOf(operation: string, key: string): Labels {
  const [, , first = '', second = ''] = key.split('/', 4);
  return first.includes('.')
    ? { operation, group: first, resource: second }
    : { operation, group: '', resource: first };
}
