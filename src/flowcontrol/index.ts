export {
  autoUpdateAnnotation,
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
  suggestedFlowSchemas,
  suggestedPriorityLevels,
} from './bootstrap-objects.ts';
export {
  type Classified,
  type FlowConfig,
  FlowController,
  type FlowControllerOptions,
} from './flow-controller.ts';
export { dumpPriorityLevels, dumpQueues, dumpRequests } from './dump.ts';
export { Buckets, FlowCounts, type RejectReason } from './flow-counts.ts';
export { flowMetrics } from './flow-metrics.ts';
export type { Place } from './place.ts';
export type { DigestedResource, RequestDigest } from './request-digest.ts';
export { hashBitsMax, requiredEntropyBits } from './shuffle-shard.ts';
export { type Work, WorkEstimator, type WorkKind } from './work-estimator.ts';
