import { Counter, Gauge, Registry as PromRegistry } from 'prom-client';
import type { Buckets } from '../../flowcontrol/index.ts';
import { DurationHistogram } from './duration-histogram.ts';
import type { HttpRequest, HttpResponse } from '../message.ts';
import type { ResourcePath } from '../request-info.ts';
import type { Verb } from '../resource-handler.ts';

/** A finished request. */
interface ObservedRequest {
  readonly http: HttpRequest;
  readonly path: ResourcePath | undefined;
  readonly verb: Verb | undefined;
  readonly code: number;
  readonly seconds: number;
}

const labelNames = [
  'verb',
  'group',
  'version',
  'resource',
  'subresource',
  'scope',
  'dry_run',
  'has_field_selector',
  'has_label_selector',
] as const;

/** The verb in upstream's spelling for metrics. */
const verbNames: Readonly<Record<Verb, string>> = Object.freeze({
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
});

/** Metrics from another source, as text. */
export interface MetricSource {
  metrics(): Promise<string>;
}

/** Whether this server currently serves the resource of a path. */
type IsServed = (path: ResourcePath) => boolean;

/** Requests of one kind, counted but not yet added to the metrics. */
interface Tally {
  /** The resource in the labels, if any. */
  readonly path: ResourcePath | undefined;
  readonly labels: ReturnType<typeof labelsOf>;
  readonly code: string;
  count: number;
  /** Shared by all codes. */
  readonly durations: Buckets;
}

/** A metric whose values are read at each scrape. */
export interface MetricFamily {
  readonly kind: 'gauge' | 'counter';
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  read(): Iterable<{ readonly labels: Readonly<Record<string, string>>; readonly value: number }>;
}

/** When this many series exist, those of removed resources are deleted, even without scrapes. */
const seriesMin = 1_000;

/**
 * Upstream's request metrics. Each server has its own. Requests are counted first and added to the metrics during a
 * scrape: checking and hashing a dozen labels costs a tenth of a small read.
 *
 * Labels only name what the server serves, so that clients cannot add series: all other requests share one series
 * without a resource. The series of a resource are removed with it.
 */
export class RequestMetrics {
  readonly #others: readonly MetricSource[];
  readonly #prom = new PromRegistry();
  readonly #total: Counter;
  readonly #duration: DurationHistogram;
  readonly #tallies = new Map<string, Tally>();
  readonly #isServed: IsServed;
  readonly #combine: () => Promise<string>;
  #seriesMax = seriesMin;

  constructor(
    { isServed }: { readonly isServed: IsServed },
    /** Metrics of the same registry, and complete other sources, which follow it. */
    more: {
      readonly families?: readonly MetricFamily[];
      readonly sources?: readonly MetricSource[];
      /** The metrics of the whole process, of which these are a part. */
      readonly combine?: () => Promise<string>;
    } = {},
  ) {
    const { families = [], sources = [], combine = () => this.text() } = more;
    this.#combine = combine;
    this.#isServed = isServed;
    this.#others = sources;
    this.#total = new Counter({
      name: 'apiserver_request_total',
      help: 'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
      labelNames: [...labelNames, 'code', 'component'],
      registers: [this.#prom],
    });
    this.#duration = new DurationHistogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
      bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 10, 30, 60],
    });
    for (const family of families) this.#family(family);
  }

  /** Counts a finished request; watches are counted without their duration. */
  observe(request: ObservedRequest): void {
    const tally = this.#tallyOf(request);
    tally.count += 1;
    if (request.verb === 'watch') return;
    tally.durations.observe(request.seconds);
  }

  #tallyOf(request: ObservedRequest): Tally {
    const path = this.#servedPath(request.path);
    const key = keyOf(request, path);
    const known = this.#tallies.get(key);
    if (known !== undefined) return known;
    if (this.#tallies.size >= this.#seriesMax) this.#forgetRemoved();
    const labels = labelsOf(request, path);
    const durations = this.#duration.series({ ...labels, component });
    const made = { path, labels, code: String(request.code), count: 0, durations };
    this.#tallies.set(key, made);
    return made;
  }

  #servedPath(path: ResourcePath | undefined): ResourcePath | undefined {
    return path !== undefined && path.resource !== '' && this.#isServed(path) ? path : undefined;
  }

  /** Removes the series of removed resources. */
  #forgetRemoved(): void {
    for (const [key, { path, labels, code }] of this.#tallies) {
      if (path === undefined || this.#isServed(path)) continue;
      this.#tallies.delete(key);
      this.#total.remove({ ...labels, component, code });
      this.#duration.remove({ ...labels, component });
    }
    this.#seriesMax = Math.max(seriesMin, 2 * this.#tallies.size);
  }

  #tell(tally: Tally): void {
    this.#total.inc({ ...tally.labels, component, code: tally.code }, tally.count);
    tally.count = 0;
  }

  /** The response of `/metrics`. */
  async response(): Promise<HttpResponse> {
    const headers = { 'content-type': this.#prom.contentType };
    return { status: 200, headers, body: Buffer.from(await this.#combine()) };
  }

  /** These metrics in Prometheus' text format. */
  async text(): Promise<string> {
    this.#forgetRemoved();
    for (const tally of this.#tallies.values()) if (tally.count > 0) this.#tell(tally);
    const texts = await Promise.all([this.#prom, ...this.#others].map((source) => source.metrics()));
    return `${this.#duration.text()}${texts.join('')}`;
  }

  #family(family: MetricFamily): void {
    const { kind, name, help } = family;
    const options = { name, help, labelNames: [...family.labelNames], registers: [this.#prom] };
    if (kind === 'gauge') {
      const gauge: Gauge = new Gauge({
        ...options,
        collect() {
          gauge.reset();
          for (const { labels, value } of family.read()) gauge.set({ ...labels }, value);
        },
      });
      return;
    }
    const counter: Counter = new Counter({
      ...options,
      collect() {
        counter.reset();
        for (const { labels, value } of family.read()) counter.inc({ ...labels }, value);
      },
    });
  }
}

const component = 'apiserver';

/** @param path the path of a served resource; undefined for any other request */
function labelsOf({ http, verb }: ObservedRequest, path: ResourcePath | undefined) {
  return {
    verb: verb === undefined || path === undefined ? methodName(http.method) : verbNames[verb],
    group: path?.group ?? '',
    version: path?.version ?? '',
    resource: path?.resource ?? '',
    subresource: path?.subresource ?? '',
    scope: scopeOf(path),
    ...selectionLabels(http.query),
  };
}

/**
 * A key that distinguishes requests like {@link labelsOf} and the code, but is faster to build. No part contains a
 * slash.
 */
function keyOf({ http, verb, code }: ObservedRequest, path: ResourcePath | undefined): string {
  const what =
    path === undefined
      ? methodName(http.method)
      : `${verb ?? methodName(http.method)}/${path.group}/${path.version}/${path.resource}/${path.subresource}/${scopeOf(path)}`;
  if (http.search === '') return `${what}/${code}`;
  const { dry_run, has_field_selector, has_label_selector } = selectionLabels(http.query);
  return `${what}/${code}/${dry_run}/${has_field_selector}/${has_label_selector}`;
}

function selectionLabels(query: URLSearchParams) {
  return {
    dry_run: query.get('dryRun') === 'All' ? 'All' : '',
    has_field_selector: String((query.get('fieldSelector') ?? '') !== ''),
    has_label_selector: String((query.get('labelSelector') ?? '') !== ''),
  };
}

const methodNames: ReadonlySet<string> = new Set(['CONNECT', 'DELETE', 'GET', 'PATCH', 'POST', 'PUT']);

/** The methods in upstream's metrics; `other` for the rest. Source: apiserver, endpoints/metrics cleanVerb. */
function methodName(method: string): string {
  return methodNames.has(method) ? method : 'other';
}

function scopeOf(path: ResourcePath | undefined): string {
  if (path === undefined) return '';
  if (path.name !== '') return 'resource';
  return path.namespace === '' ? 'cluster' : 'namespace';
}
