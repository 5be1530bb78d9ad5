// The door of reading and writing
export { Registry, type CatalogSource } from './registry.ts';
export type { RegistryParts } from './parts.ts';
export { type GateCount, GateCounts } from './gate-counts.ts';
export { Catalog, type Served } from './catalog.ts';
export { needsWebhook } from './prepare-forms.ts';
export { type StoredList, targetAsStored } from './stored-read.ts';
export { Resource } from './resource.ts';
export { type CatalogState, LiveCatalog, type LiveCatalogOptions } from './live-catalog.ts';
export { type ObjectTarget, objectTargetOf, type Target, targetOf } from './target.ts';

// What a request brings
export { type BodyFormat, decodeObject, decodeOptions, type RequestBody } from './body.ts';
export { type RequestContext, Warnings } from './context.ts';
export type { PatchType } from './patch.ts';

// What it gets
export type { DeleteResult } from './delete.ts';
export type { ListPage } from './page-builder.ts';
export type { Rendered } from './rendered.ts';
export type { StoredChange, StoredChanges } from './stored-changes.ts';
export type { WriteResult } from './update.ts';
export type { ObjectWatch } from './watch.ts';
export type { WatchNotice } from './watch-notice.ts';
export { isStorageError } from './store-call.ts';
