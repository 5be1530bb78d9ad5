import type { FlowController } from './flow-controller.ts';
import type { Buckets, FlowCounts } from './flow-counts.ts';
import type { LevelState } from './level-state.ts';

/** The metrics of priority and fairness in Prometheus' text format, under upstream's names. */
export function flowMetrics(controller: FlowController): string {
  const lines: string[] = [];
  for (const metric of levelMetrics) {
    const samples = controller.levels.map((level) =>
      sample(metric.name, levelLabels(level), metric.read(level)),
    );
    lines.push(...family(metric, 'gauge', samples));
  }
  const fraction = sample('seat_fair_frac', '', controller.fairFraction);
  lines.push(...family({ name: 'seat_fair_frac', help: fairFractionHelp }, 'gauge', [fraction]));
  for (const metric of schemaMetrics) {
    const samples = controller.schemas.map((active) =>
      sample(metric.name, schemaLabels(active), metric.read(active.counts)),
    );
    lines.push(...family(metric, metric.type, samples));
  }
  lines.push(...rejections(controller), ...histograms(controller));
  return `${lines.join('\n')}\n`;
}

const prefix = 'apiserver_flowcontrol_';
const fairFractionHelp =
  "Fair fraction of server's concurrency to allocate to each priority level that can use it";

interface Metric<T> {
  readonly name: string;
  readonly help: string;
  readonly read: (of: T) => number;
}

const levelMetrics: readonly Metric<LevelState>[] = Object.freeze([
  {
    name: 'nominal_limit_seats',
    help: 'Nominal number of execution seats configured for each priority level',
    read: ({ range }) => range.nominal,
  },
  {
    name: 'lower_limit_seats',
    help: 'Configured lower bound on number of execution seats available to each priority level',
    read: ({ range }) => range.lower,
  },
  {
    name: 'upper_limit_seats',
    help: 'Configured upper bound on number of execution seats available to each priority level',
    read: ({ range }) => range.upper,
  },
  {
    name: 'current_limit_seats',
    help: 'current derived number of execution seats available to each priority level',
    read: ({ queueSet }) => queueSet.limit,
  },
  {
    name: 'demand_seats_high_watermark',
    help: 'High watermark, over last adjustment period, of demand_seats',
    read: ({ demand }) => demand.highWatermark,
  },
  {
    name: 'demand_seats_average',
    help: 'Time-weighted average, over last adjustment period, of demand_seats',
    read: ({ demand }) => demand.average,
  },
  {
    name: 'demand_seats_stdev',
    help: 'Time-weighted standard deviation, over last adjustment period, of demand_seats',
    read: ({ demand }) => demand.deviation,
  },
  { name: 'demand_seats_smoothed', help: 'Smoothed seat demands', read: ({ smoothed }) => smoothed },
  { name: 'target_seats', help: 'Seat allocation targets', read: ({ target }) => target },
  { name: 'current_r', help: 'R(time of last change)', read: ({ queueSet }) => queueSet.currentR },
]);

const schemaMetrics: readonly (Metric<FlowCounts> & { readonly type: 'counter' | 'gauge' })[] = Object.freeze(
  [
    {
      name: 'dispatched_requests_total',
      type: 'counter',
      help: 'Number of requests executed by API Priority and Fairness subsystem',
      read: ({ dispatched }) => dispatched,
    },
    {
      name: 'current_inqueue_requests',
      type: 'gauge',
      help: 'Number of requests currently pending in queues of the API Priority and Fairness subsystem',
      read: ({ waitingRequests }) => waitingRequests,
    },
    {
      name: 'current_inqueue_seats',
      type: 'gauge',
      help: 'Number of seats currently pending in queues of the API Priority and Fairness subsystem',
      read: ({ waitingSeats }) => waitingSeats,
    },
    {
      name: 'current_executing_requests',
      type: 'gauge',
      help: 'Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem',
      read: ({ executingRequests }) => executingRequests,
    },
    {
      name: 'current_executing_seats',
      type: 'gauge',
      help: 'Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem',
      read: ({ executingSeats }) => executingSeats,
    },
  ],
);

const histogramMetrics: readonly {
  readonly name: string;
  readonly help: string;
  readonly read: (of: FlowCounts) => Buckets;
}[] = Object.freeze([
  {
    name: 'request_wait_duration_seconds',
    help: 'Length of time a request spent waiting in its queue',
    read: ({ waitSeconds }) => waitSeconds,
  },
  {
    name: 'request_execution_seconds',
    help: 'Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the API Priority and Fairness subsystem',
    read: ({ executionSeconds }) => executionSeconds,
  },
  {
    name: 'work_estimated_seats',
    help: 'Number of estimated seats (maximum of initial and final seats) associated with requests in API Priority and Fairness',
    read: ({ estimatedSeats }) => estimatedSeats,
  },
]);

type Active = FlowController['schemas'][number];

const levelLabels = ({ config }: LevelState) => `priority_level=${quoted(config.name)}`;
const schemaLabels = ({ schema, level }: Active) =>
  `flow_schema=${quoted(schema.name)},${levelLabels(level)}`;

/** Names are DNS subdomains and need no escaping. */
const quoted = (name: string) => `"${name}"`;

function family(
  { name, help }: { readonly name: string; readonly help: string },
  type: string,
  samples: readonly string[],
): string[] {
  return [`# HELP ${prefix}${name} ${help}`, `# TYPE ${prefix}${name} ${type}`, ...samples];
}

function sample(name: string, labels: string, value: number): string {
  return `${prefix}${name}${labels === '' ? '' : `{${labels}}`} ${value}`;
}

function rejections({ schemas }: FlowController): string[] {
  const name = 'rejected_requests_total';
  const samples = schemas.flatMap((active) =>
    Object.entries(active.counts.rejected)
      .filter(([, count]) => count > 0)
      .map(([reason, count]) => sample(name, `${schemaLabels(active)},reason=${quoted(reason)}`, count)),
  );
  const help = 'Number of requests rejected by API Priority and Fairness subsystem';
  return family({ name, help }, 'counter', samples);
}

function histograms({ schemas }: FlowController): string[] {
  return histogramMetrics.flatMap((metric) => {
    const seen = schemas.filter(({ counts }) => metric.read(counts).count > 0);
    const samples = seen.flatMap((active) =>
      bucketSamples(metric.name, schemaLabels(active), metric.read(active.counts)),
    );
    return family(metric, 'histogram', samples);
  });
}

function bucketSamples(name: string, labels: string, { bounds, counts, sum, count }: Buckets): string[] {
  return [
    ...bounds.map((bound, at) => sample(`${name}_bucket`, `${labels},le="${bound}"`, counts[at] ?? 0)),
    sample(`${name}_bucket`, `${labels},le="+Inf"`, count),
    sample(`${name}_sum`, labels, sum),
    sample(`${name}_count`, labels, count),
  ];
}
