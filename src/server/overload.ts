import { runFlowControl } from '../controllers/index.ts';
import {
  FlowController,
  flowMetrics,
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
  suggestedFlowSchemas,
  suggestedPriorityLevels,
  WorkEstimator,
} from '../flowcontrol/index.ts';
import {
  eventLoopMetrics,
  FairnessGate,
  flowDump,
  type HandlerParts,
  InFlightGate,
  isServed,
  type MetricFamily,
  type MetricSource,
} from '../http/index.ts';
import { type Clock, limits, type Timers } from '../meta/index.ts';
import type { Registry } from '../registry/index.ts';
import type { ServerOptions } from './options.ts';

interface OverloadOptions {
  /** False counts requests only, as upstream does without priority and fairness. */
  readonly fair: boolean;
  /** Requests at once, of those that read and of those that write; together they are the seats of all levels. */
  readonly inFlightReadMax: number;
  readonly inFlightWriteMax: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onTrouble: (error: unknown) => void;
}

/** What a server's options say of overload. Without a word, requests are only counted. */
export function overloadOptions(
  { priorityAndFairness = false, maxRequestsInFlight, maxMutatingRequestsInFlight }: ServerOptions,
  parts: Pick<OverloadOptions, 'clock' | 'timers' | 'onTrouble'>,
): OverloadOptions {
  return {
    ...parts,
    fair: priorityAndFairness,
    inFlightReadMax: maxRequestsInFlight ?? limits.inFlightReadMax,
    inFlightWriteMax: maxMutatingRequestsInFlight ?? limits.inFlightWriteMax,
  };
}

/** What decides which requests run at once. */
export interface Overload {
  readonly gate: HandlerParts['gate'];
  readonly debug?: HandlerParts['debug'];
  readonly metrics: readonly MetricSource[];
  readonly families: readonly MetricFamily[];
  /** Ends what runs behind it. */
  close(): Promise<void>;
}

/** A flow whose requests are rejected. */
class FlowPushedBackError extends Error {
  override readonly name = 'FlowPushedBackError';
}

/** What every server has, as long as nothing was read from the storage. */
const bootstrap = {
  flowSchemas: [...mandatoryFlowSchemas, ...suggestedFlowSchemas],
  priorityLevels: [...mandatoryPriorityLevels, ...suggestedPriorityLevels],
};

/** Puts together what keeps a server answering when too much is asked of it. */
export function startOverload(registry: Registry, options: OverloadOptions): Overload {
  const { fair, inFlightReadMax, inFlightWriteMax, timers } = options;
  if (!fair) {
    return {
      gate: new InFlightGate({ inFlightReadMax, inFlightWriteMax }),
      metrics: [],
      families: [],
      close: async () => {},
    };
  }
  const seats = inFlightReadMax + inFlightWriteMax;
  const controller = new FlowController({ now: () => performance.now(), seats }, bootstrap);
  const eventLoop = eventLoopMetrics();
  const stop = new AbortController();
  const running = runFlowControl({
    ...options,
    registry,
    signal: stop.signal,
    configure: (config) => controller.configure(config),
  });
  const stopAdjusting = timers.every(limits.seatAdjustmentMs, () => controller.adjust());
  return {
    gate: fairnessGate(registry, controller, options),
    debug: (http) => flowDump(controller, http),
    metrics: [{ metrics: async () => flowMetrics(controller) }],
    families: [eventLoop.family],
    async close() {
      stopAdjusting();
      eventLoop.stop();
      stop.abort();
      await running;
    },
  };
}

function fairnessGate(
  registry: Registry,
  controller: FlowController,
  options: OverloadOptions,
): FairnessGate {
  const { timers, onTrouble } = options;
  return new FairnessGate({
    controller,
    estimator: new WorkEstimator(),
    workMs: () => performance.eventLoopUtilization().active,
    timers,
    isServed: (path) => isServed(registry, path),
    onPushedBack: onceInAWhile(options.clock, (schema, flow) =>
      onTrouble(
        new FlowPushedBackError(`too many requests of flow ${flow || '-'} (${schema}): some are rejected`),
      ),
    ),
  });
}

const sayAgainMs = 60_000;
/** Flows that are remembered; of more, some are named twice. */
const flowsMax = 1_000;

/** Says of each flow once that it is pushed back, and again when that went on for a minute or comes back later. */
function onceInAWhile(clock: Clock, say: (schema: string, flow: string) => void) {
  const said = new Map<string, number>();
  return (schema: string, flow: string) => {
    const key = `${schema} ${flow}`;
    const nowMs = clock.now();
    if (nowMs - (said.get(key) ?? Number.NEGATIVE_INFINITY) < sayAgainMs) return;
    if (said.size >= flowsMax) said.clear();
    said.set(key, nowMs);
    say(schema, flow);
  };
}
