import { Counter, Histogram, Registry as PromRegistry } from 'prom-client';
import type { ConversionFailure, ReviewOutcome } from '../webhook/index.ts';

/** Upstream's names of failures. Source: apiextensions-apiserver, pkg/apiserver/conversion/metrics.go. */
const failureTypes: Readonly<Record<ConversionFailure, string>> = Object.freeze({
  call: 'conversion_webhook_call_failure',
  review: 'conversion_webhook_malformed_response_failure',
  count: 'conversion_webhook_partial_response_failure',
  object: 'conversion_webhook_invalid_converted_object_failure',
});

const resultLabels = ['result', 'failure_type'] as const;

/** The metrics, created with the first review: most servers have no webhook, and a fork is created for each test. */
class Counts {
  readonly prom = new PromRegistry();
  readonly requests: Counter;
  readonly duration: Histogram;
  readonly byCrd: Histogram;

  constructor() {
    const registers = [this.prom];
    this.requests = new Counter({
      name: 'apiserver_conversion_webhook_request_total',
      help: 'Counter for conversion webhook requests with success/failure and failure error type.',
      labelNames: resultLabels,
      registers,
    });
    this.duration = new Histogram({
      name: 'apiserver_conversion_webhook_duration_seconds',
      help: 'Conversion webhook request latency.',
      labelNames: resultLabels,
      buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60],
      registers,
    });
    this.byCrd = new Histogram({
      name: 'apiserver_crd_conversion_webhook_duration_seconds',
      help: 'CRD webhook conversion duration in seconds.',
      labelNames: ['crd_name', 'from_version', 'to_version', 'succeeded'],
      buckets: Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power),
      registers,
    });
  }
}

/** Counts the calls of conversion webhooks and their durations, under upstream's names. */
export class ConversionMetrics {
  #counts: Counts | undefined;

  /** In the Prometheus text format. */
  async metrics(): Promise<string> {
    return this.#counts === undefined ? '' : this.#counts.prom.metrics();
  }

  /** Counts a review, answered or failed. */
  observe({ crd, fromVersion, toVersion, failure, seconds }: ReviewOutcome): void {
    this.#counts ??= new Counts();
    const { requests, duration, byCrd } = this.#counts;
    const failureType = failure === undefined ? '' : failureTypes[failure];
    const labels = { result: failure === undefined ? 'success' : 'failure', failure_type: failureType };
    const succeeded = String(failure === undefined);
    requests.inc(labels);
    duration.observe(labels, seconds);
    const versions = { from_version: fromVersion, to_version: toVersion };
    byCrd.observe({ crd_name: crd, ...versions, succeeded }, seconds);
  }
}
