export { AnswerBuffers, type AnswerHold, systemAnswerBuffers } from './answer-buffers.ts';
export { WatchCounts, type WatchLimits } from './watch-counts.ts';
export { FairnessGate } from './fairness-gate.ts';
export { flowDump } from './flow-dumps.ts';
export { InFlightGate } from './in-flight-gate.ts';
export type { OverloadGate } from './overload-gate.ts';
export { eventLoopMetrics } from './event-loop-metrics.ts';
