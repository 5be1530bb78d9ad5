import type { Sample } from './metrics-text.ts';

/** The requests of one verb since the start of the server. */
export interface VerbCounts {
  readonly requests: number;
  readonly errors: number;
  readonly seconds: number;
  readonly timed: number;
  /** The cumulative histogram of durations, by upper bounds in seconds. */
  readonly buckets: ReadonlyMap<number, number>;
}

/** The rates between two scrapes. */
export interface VerbRate {
  readonly verb: string;
  readonly perSecond: number;
  /** Since the start of the server. */
  readonly total: number;
  readonly errors: number;
  /** Undefined without requests. */
  readonly meanMs: number | undefined;
  /** The 99th percentile. */
  readonly slowestMs: number | undefined;
}

const nothing: VerbCounts = Object.freeze({
  requests: 0,
  errors: 0,
  seconds: 0,
  timed: 0,
  buckets: new Map(),
});

export function countsByVerb(samples: readonly Sample[]): ReadonlyMap<string, VerbCounts> {
  const found = new Map<string, VerbCounts>();
  for (const { name, labels, value } of samples) {
    const verb = labels.get('verb') ?? '';
    const before = found.get(verb) ?? nothing;
    const after = withSample(before, name.replace('apiserver_request_', ''), { labels, value });
    if (after !== before) found.set(verb, after);
  }
  return found;
}

function withSample(
  counts: VerbCounts,
  name: string,
  { labels, value }: Pick<Sample, 'labels' | 'value'>,
): VerbCounts {
  switch (name) {
    case 'total': {
      const isError = (labels.get('code') ?? '').startsWith('5');
      return {
        ...counts,
        requests: counts.requests + value,
        errors: counts.errors + (isError ? value : 0),
      };
    }
    case 'duration_seconds_sum':
      return { ...counts, seconds: counts.seconds + value };
    case 'duration_seconds_count':
      return { ...counts, timed: counts.timed + value };
    case 'duration_seconds_bucket': {
      const bound = labels.get('le') === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.get('le'));
      return {
        ...counts,
        buckets: new Map(counts.buckets).set(bound, (counts.buckets.get(bound) ?? 0) + value),
      };
    }
    default:
      return counts;
  }
}

/** The rates between two scrapes; since the start of the server if `before` is undefined. */
export function ratesBetween(
  before: ReadonlyMap<string, VerbCounts> | undefined,
  after: ReadonlyMap<string, VerbCounts>,
  seconds: number,
): readonly VerbRate[] {
  return [...after]
    .map(([verb, now]): VerbRate => {
      const then = before?.get(verb) ?? nothing;
      // The counters of a restarted server start at zero.
      const from = then.requests > now.requests ? nothing : then;
      const [requests, timed] = [now.requests - from.requests, now.timed - from.timed];
      return {
        verb,
        perSecond: before === undefined ? 0 : requests / seconds,
        total: now.requests,
        errors: now.errors,
        meanMs: timed > 0 ? ((now.seconds - from.seconds) / timed) * 1_000 : undefined,
        slowestMs: quantileMs(from, now, 0.99),
      };
    })
    .sort((a, b) => a.verb.localeCompare(b.verb));
}

/** The bound of the bucket that contains a quantile. */
function quantileMs(from: VerbCounts, now: VerbCounts, part: number): number | undefined {
  const timed = now.timed - from.timed;
  if (timed <= 0) return undefined;
  const bounds = [...now.buckets.keys()].sort((a, b) => a - b);
  const found = bounds.find(
    (bound) => (now.buckets.get(bound) ?? 0) - (from.buckets.get(bound) ?? 0) >= timed * part,
  );
  return found === undefined ? undefined : found * 1_000;
}
