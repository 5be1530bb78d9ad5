import { setMaxListeners } from 'node:events';
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
import { shareOfThread } from './threads/thread-share.ts';
import { threadWorkMs } from './thread-work-ms.ts';

interface OverloadOptions {
  /** If false, requests are only counted, as upstream does without priority and fairness. */
  readonly fair: boolean;
  /** Read and write requests in flight; together they are the seats of all priority levels. */
  readonly inFlightReadMax: number;
  readonly inFlightWriteMax: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onTrouble: (error: unknown) => void;
}

/** The overload options of a server. By default, requests are only counted. */
export function overloadOptions(
  { priorityAndFairness = false, maxRequestsInFlight, maxMutatingRequestsInFlight, threads }: ServerOptions,
  parts: Pick<OverloadOptions, 'clock' | 'timers' | 'onTrouble'>,
): OverloadOptions {
  return {
    ...parts,
    fair: priorityAndFairness,
    inFlightReadMax: shareOfThread(maxRequestsInFlight ?? limits.inFlightReadMax, threads?.count),
    inFlightWriteMax: shareOfThread(maxMutatingRequestsInFlight ?? limits.inFlightWriteMax, threads?.count),
  };
}

/** Decides which requests run. */
export interface Overload {
  readonly gate: HandlerParts['gate'];
  readonly debug?: HandlerParts['debug'];
  readonly metrics: readonly MetricSource[];
  readonly families: readonly MetricFamily[];
  /** Stops the background work. */
  close(): Promise<void>;
}

/** A flow with rejected requests. */
class FlowPushedBackError extends Error {
  override readonly name = 'FlowPushedBackError';
}

/** The mandatory and suggested objects, used until the storage was read. */
const bootstrap = {
  flowSchemas: [...mandatoryFlowSchemas, ...suggestedFlowSchemas],
  priorityLevels: [...mandatoryPriorityLevels, ...suggestedPriorityLevels],
};

/** Creates the overload protection of a server. */
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
  // Each of the default objects that are created at the same time listens.
  setMaxListeners(0, stop.signal);
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
    estimator: new WorkEstimator((resource) => isServed(registry, resource)),
    workMs: threadWorkMs(),
    timers,
    onPushedBack: onceInAWhile(options.clock, (schema, flow) =>
      onTrouble(
        new FlowPushedBackError(`too many requests of flow ${flow || '-'} (${schema}): some are rejected`),
      ),
    ),
  });
}

const sayAgainMs = 60_000;
/** The maximum number of remembered flows; beyond it, some are reported twice. */
const flowsMax = 1_000;

/** Reports each rejected flow once, and again if the rejections last for a minute or start again later. */
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
