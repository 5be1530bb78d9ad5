export { Buckets } from './flow-counts.ts';
export {
  autoUpdateAnnotation,
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
  suggestedFlowSchemas,
  suggestedPriorityLevels,
} from './bootstrap-objects.ts';
export type { Classified, FlowHeaders } from './active-schema.ts';
export { type FlowConfig, FlowController } from './flow-controller.ts';
export { dumpPriorityLevels, dumpQueues, dumpRequests } from './dump.ts';
export { flowMetrics } from './flow-metrics.ts';
export type { Place } from './place.ts';
export type { RequestDigest } from './request-digest.ts';
export { hashBitsMax, requiredEntropyBits } from './shuffle-shard.ts';
export { type Work, WorkEstimator } from './work-estimator.ts';
