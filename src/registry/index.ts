// Reading and writing
export { type CachedWrite, Registry } from './registry.ts';
export { StorageClaims } from './resource/storage-claims.ts';
export type { RegistryParts } from './write/registry-parts.ts';
export type { CheckedWrite, CreateByChange, GrantCheck } from './write/grant-check.ts';
export { GateCounts } from './write/gate-counts.ts';
export { Catalog } from './catalog/catalog.ts';
export { needsWebhook } from './representation/prepare-representations.ts';
export { type StoredList, targetAsStored } from './verbs/stored-read.ts';
export { selectsPod } from './pods/disruption-budget.ts';
export { keyPrefixOf } from './resource/key-prefix.ts';
export { Resource } from './resource/resource.ts';
export type { LiveObjects } from './catalog/live-objects.ts';
export { type CatalogState, LiveCatalog } from './catalog/live-catalog.ts';
export { type ObjectTarget, objectTargetOf, type Target, targetOf } from './resource/target.ts';

// Request context
export type { BodyFormat, RequestBody } from './request/body.ts';
export type { RequestBodies } from './write/request-bodies.ts';
export { type RequestContext, type RequestEffects, Warnings } from './request/context.ts';
export { attemptFromCache } from './request/attempt-from-cache.ts';
export type { AdmittedCreate } from './verbs/create-unstored.ts';
export type { PatchType } from './verbs/patch.ts';

// Results
export type { ListPage } from './verbs/page-builder.ts';
export type { Found } from './catalog/catalog-source.ts';
export type { ResponseObject } from './representation/response-object.ts';
export { decodeStoredValue } from './representation/stored-value.ts';
export type { StoredChange, StoredChanges } from './verbs/stored-changes.ts';
export type { ObjectWatch } from './verbs/watch.ts';
export type { WatchNotice } from './verbs/watch-notice.ts';
