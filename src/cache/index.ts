export { type LiveViewOptions, LiveView, type ViewStart } from './live-view.ts';
export { Freshness, type WaitOptions } from './freshness.ts';
export { Snapshot } from './snapshot.ts';
export { ViewEntry } from './view-entry.ts';
export { ViewError } from './view-error.ts';

// Looking up
export { absentBucket, bucketOf, textOfBucket } from './index/bucket.ts';
export { FieldSource, type FieldText } from './index/field-source.ts';
export type { Buckets, IndexDefinition } from './index/index-source.ts';
export { LabelSource } from './index/label-source.ts';
export { type Plan, planQuery, scanPlan } from './plan/planner.ts';
export { indexesOf, type Query } from './plan/query.ts';

// Watching
export type { ViewEvent } from './view-event.ts';
export type { SubscribeOptions, Subscription } from './subscription.ts';
export type { Scope } from './scope.ts';
export { type Change, meaningOf } from './change.ts';
export type { DispatchIndex, Interest } from './dispatch-index.ts';
export { IndexedValues } from './value-dispatch-index.ts';
