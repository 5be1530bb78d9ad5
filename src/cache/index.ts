export { type LiveViewOptions, LiveView, type ViewStart } from './live-view.ts';
export { Freshness, type WaitOptions } from './freshness.ts';
export type { Snapshot } from './snapshot.ts';
export { ViewEntry } from './view-entry.ts';
export { ViewError, type ViewErrorCode } from './view-error.ts';

// Watching
export type { ViewEvent, ViewEventType } from './view-event.ts';
export type { SubscribeOptions, Subscription } from './subscription.ts';
export type { Scope } from './scope.ts';
export { type Change, type Matches, meaningOf } from './change.ts';
export type { DispatchIndex, Interest } from './dispatch-index.ts';
