export { LiveView, type ViewStart } from './live-view.ts';
export { Freshness, type WaitOptions } from './freshness.ts';
export { Snapshot } from './state/snapshot.ts';
export { ViewEntry } from './entries/view-entry.ts';
export { ViewError } from './view-error.ts';

// Lookups
export { absentBucket, bucketOf, textOfBucket } from './index/bucket.ts';
export { FieldSource, type FieldText } from './index/field-source.ts';
export type { Buckets } from './entries/indexed-values.ts';
export type { IndexDefinition } from './index/index-source.ts';
export { LabelSource } from './index/label-source.ts';
export { type Plan, planQuery, prepareTests, scanPlan } from './plan/planner.ts';
export { indexesOf, type Query } from './plan/query.ts';

// Watches
export type { ViewEvent } from './entries/view-event.ts';
export type { Subscription } from './dispatch/subscription.ts';
export { meaningOf } from './entries/change.ts';
export { IndexedValues } from './dispatch/value-dispatch-index.ts';
