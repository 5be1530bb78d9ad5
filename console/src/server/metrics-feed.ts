import { signal } from '@preact/signals';
import { isAborted } from '../api/api-error.ts';
import { send } from '../api/request.ts';
import { type AdmissionTime, admissionPrefixes, admissionTimes } from './admission-times.ts';
import { samplesIn } from './metrics-text.ts';
import { countsByVerb, ratesBetween, type VerbCounts, type VerbRate } from './request-rates.ts';
import { pollMs } from './use-polled.ts';

/** The metrics at a point in time. */
interface MetricsView {
  readonly verbs: readonly VerbRate[];
  /** Requests per second of all verbs, the latest last. */
  readonly history: readonly number[];
  readonly admission: readonly AdmissionTime[];
  readonly openWatches: number;
  readonly connections: number;
  readonly memoryBytes: number;
  readonly text: string;
}

const prefixes = [
  'apiserver_request_total',
  'apiserver_request_duration_seconds_',
  ...admissionPrefixes,
  'ilk_open_watches',
  'ilk_open_connections',
  'process_resident_memory_bytes',
];
const historyMax = 60;

export const metrics = signal<MetricsView | undefined>(undefined);
export const metricsError = signal<unknown>(undefined);

/** Reads the metrics periodically until `abort`. */
export async function followMetrics(abort: AbortSignal): Promise<void> {
  let before: { readonly counts: ReadonlyMap<string, VerbCounts>; readonly ms: number } | undefined;
  metrics.value = undefined;
  while (!abort.aborted) {
    if (!document.hidden) {
      try {
        const text = await (await send('/metrics', { accept: 'text/plain', signal: abort })).text();
        const ms = performance.now();
        const { view, counts } = viewOf(text, before, ms);
        metrics.value = view;
        metricsError.value = undefined;
        before = { counts, ms };
      } catch (error) {
        if (!isAborted(error)) metricsError.value = error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function viewOf(
  text: string,
  before: { readonly counts: ReadonlyMap<string, VerbCounts>; readonly ms: number } | undefined,
  ms: number,
) {
  const samples = samplesIn(text, prefixes);
  const sumOf = (name: string) =>
    samples.filter((sample) => sample.name === name).reduce((sum, { value }) => sum + value, 0);
  const counts = countsByVerb(samples.filter(({ name }) => name.startsWith('apiserver_request_')));
  const verbs = ratesBetween(before?.counts, counts, (ms - (before?.ms ?? ms)) / 1_000);
  const perSecond = verbs.reduce((sum, verb) => sum + verb.perSecond, 0);
  const history = before === undefined ? [] : [...(metrics.peek()?.history ?? []), perSecond];
  const view: MetricsView = {
    verbs,
    history: history.slice(-historyMax),
    admission: admissionTimes(samples),
    openWatches: sumOf('ilk_open_watches'),
    connections: sumOf('ilk_open_connections'),
    memoryBytes: sumOf('process_resident_memory_bytes'),
    text,
  };
  return { view, counts };
}
