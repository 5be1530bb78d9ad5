import { Counter, Histogram, Registry as PromRegistry } from 'prom-client';
import type { AdmissionRecord } from '../admission/index.ts';
import { DurationHistogram } from '../http/index.ts';
import { DurationTallies, type Tally } from './duration-tallies.ts';

type RecordOf<What> = Extract<AdmissionRecord, { readonly what: What }>;

/** The maximum number of webhook and policy names in labels; the rest share one label. */
const namesMax = 1_000;
const others = '(others)';
/** Larger status codes are counted as this one, as upstream does. */
const codeMax = 600;

const stepBuckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const policyBuckets = [0.0000005, 0.001, 0.01, 0.1, 1];
const conditionBuckets = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];
const conditionLabels = ['name', 'kind', 'type', 'operation'];
const mutationLabels = ['policy', 'policy_binding', 'error_type'];
const policyLabels = [...mutationLabels, 'enforcement_action'];

/** The metrics, created with the first write that a plugin handles. */
class Counts {
  readonly prom = new PromRegistry();
  readonly #registers = [this.prom];
  readonly step = durations(
    'admission_step_admission_duration_seconds',
    'Admission sub-step latency in seconds.',
    stepBuckets,
  );
  readonly plugin = durations(
    'admission_controller_admission_duration_seconds',
    'Admission controller latency in seconds, identified by name.',
    stepBuckets,
  );
  readonly webhook = durations(
    'admission_webhook_admission_duration_seconds',
    'Admission webhook latency in seconds, identified by name.',
    [...stepBuckets, 10, 25],
  );
  readonly requests = this.#counter('apiserver_admission_webhook_request_total', [
    'name',
    'type',
    'operation',
    'code',
    'rejected',
  ]);
  readonly rejections = this.#counter('apiserver_admission_webhook_rejection_count', [
    'name',
    'type',
    'operation',
    'error_type',
    'rejection_code',
  ]);
  readonly failOpens = this.#counter('apiserver_admission_webhook_fail_open_count', ['name', 'type']);
  readonly conditions = {
    errors: this.#counter('apiserver_admission_match_condition_evaluation_errors_total', conditionLabels),
    exclusions: this.#counter('apiserver_admission_match_condition_exclusions_total', conditionLabels),
    seconds: new Histogram({
      name: 'apiserver_admission_match_condition_evaluation_seconds',
      help: 'Evaluation time of match conditions in seconds, by the name and kind of what they belong to.',
      labelNames: conditionLabels,
      buckets: conditionBuckets,
      registers: this.#registers,
    }),
  };
  readonly checks = {
    validating: this.#counter('apiserver_validating_admission_policy_check_total', policyLabels),
    mutating: this.#counter('apiserver_mutating_admission_policy_check_total', mutationLabels),
  };
  readonly durations = {
    validating: policyDurations('validating'),
    mutating: policyDurations('mutating'),
  };

  /** In the text format of Prometheus. */
  async text(): Promise<string> {
    const name = 'apiserver_admission_step_admission_duration_seconds_summary';
    const help = 'Sum and count of the admission sub-step latency in seconds.';
    const { step, plugin, webhook, durations: policies } = this;
    const histograms = [step, plugin, webhook, policies.validating, policies.mutating];
    const others = await this.prom.metrics();
    return [step.summaryText(name, help), ...histograms.map((one) => one.text()), others].join('');
  }

  #counter(name: string, labelNames: string[]): Counter {
    const help = `Count by ${labelNames.join(', ')}.`;
    return new Counter({ name, help, labelNames, registers: this.#registers });
  }
}

function durations(name: string, help: string, bounds: readonly number[]): DurationHistogram {
  return new DurationHistogram({ name: `apiserver_${name}`, help, bounds });
}

function policyDurations(kind: string): DurationHistogram {
  const help = 'Latency of the evaluation of policies in seconds, by policy, binding and action.';
  return durations(`${kind}_admission_policy_check_duration_seconds`, help, policyBuckets);
}

/** Counts the decisions of plugins, webhooks and policies about writes, under upstream's names. */
export class AdmissionMetrics {
  #counts: Counts | undefined;
  readonly #names = new Set<string>();
  readonly #tallies = new DurationTallies();
  /** What policies mostly say, by {@link PolicyRecord.of}: looked up once for each policy and write. */
  readonly #allowed = new WeakMap<object, Tally>();

  /** In the Prometheus text format. */
  async metrics(): Promise<string> {
    this.#tallies.flush();
    return this.#counts === undefined ? '' : this.#counts.text();
  }

  observe(record: AdmissionRecord): void {
    this.#counts ??= new Counts();
    if (record.what === 'webhook') this.#webhook(this.#counts, record);
    else if (record.what === 'match conditions') this.#conditions(this.#counts, record);
    else if (record.what === 'policy') this.#policy(this.#counts, record);
    else this.#plugin(this.#counts, record);
  }

  #plugin(counts: Counts, record: RecordOf<'step' | 'plugin'>): void {
    const { what, name, phase: type, operation, rejected, seconds } = record;
    const words = [what, name, type, operation, rejected ? 'rejected' : 'allowed'];
    this.#tallies.add(words, { seconds, times: 1 }, () => {
      const labels = { type, operation, rejected: String(rejected) };
      if (what === 'step') return { labels, durations: counts.step.series(labels) };
      return { labels, durations: counts.plugin.series({ name, ...labels }) };
    });
  }

  #webhook(counts: Counts, record: RecordOf<'webhook'>): void {
    const { phase, operation, outcome, seconds } = record;
    const [name, code] = [this.#bounded(record.name), Math.min(record.code, codeMax)];
    const rejected = outcome === 'denied' || outcome === 'failed';
    // Upstream's name for the phase of webhooks.
    const type = phase === 'admit' ? 'admit' : 'validating';
    const head = { name, type, operation };
    const words = ['webhook', name, type, operation, outcome, String(code)];
    this.#tallies.add(words, { seconds, times: 1 }, () => {
      const labels = { ...head, rejected: String(rejected) };
      const counter = {
        inc: (_: object, times: number) =>
          counts.requests.inc({ ...head, code, rejected: String(rejected) }, times),
      };
      return { labels, counter, durations: counts.webhook.series(labels) };
    });
    if (outcome === 'failed open') counts.failOpens.inc({ name, type });
    if (!rejected) return;
    const errorType = outcome === 'denied' ? 'no_error' : 'calling_webhook_error';
    counts.rejections.inc({ ...head, error_type: errorType, rejection_code: code });
  }

  /** Upstream's type label: policies always validate; for webhooks it depends on the metric. */
  #conditions({ conditions }: Counts, record: RecordOf<'match conditions'>): void {
    const { of: kind, phase, operation, errors, isExcluded, seconds } = record;
    const name = this.#bounded(record.name);
    const validating = kind === 'webhook' ? 'validating' : 'validate';
    const type = kind === 'webhook' && phase === 'admit' ? 'admit' : validating;
    const labels = { name, kind, type, operation };
    conditions.seconds.observe(labels, seconds);
    if (errors > 0) conditions.errors.inc(labels, errors);
    if (isExcluded) conditions.exclusions.inc({ ...labels, type: phase });
  }

  #policy(counts: Counts, record: RecordOf<'policy'>): void {
    const { kind, name, binding, action, errorType, seconds, times } = record;
    const known = action === 'allow' && errorType === 'no_error' ? this.#allowed.get(record.of) : undefined;
    if (known !== undefined) return known.observe(seconds, times);
    const [policy, policyBinding] = [this.#bounded(name), this.#bounded(binding)];
    const words = [kind, policy, policyBinding, errorType, action];
    const tally = this.#tallies.add(words, { seconds, times }, () => {
      const labels = {
        policy,
        policy_binding: policyBinding,
        error_type: errorType,
        ...(kind === 'validating' ? { enforcement_action: action } : {}),
      };
      return { labels, counter: counts.checks[kind], durations: counts.durations[kind].series(labels) };
    });
    if (action === 'allow' && errorType === 'no_error') this.#allowed.set(record.of, tally);
  }

  #bounded(name: string): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= namesMax) return others;
    this.#names.add(name);
    return name;
  }
}
