import {
  FieldSelector,
  type GroupVersionResource,
  type KubeObject,
  type ListOptions,
  parseLabelSelector,
} from '../meta/index.ts';
import type { CatalogSource, Found } from './catalog/catalog-source.ts';
import type { Operation } from '../admission/index.ts';
import { atLeast, type Freshness, latest } from './resource/freshness.ts';
import { applyObject } from './verbs/apply.ts';
import type { FieldGate } from '../crd/index.ts';
import type { RequestContext } from './request/context.ts';
import { type CreateRequest, createObject } from './verbs/create.ts';
import { type AdmittedCreate, admitUnstored, type UnstoredCreate } from './verbs/create-unstored.ts';
import type { Served } from './resource/served.ts';
import type { Catalog } from './catalog/catalog.ts';
import { type DeleteRequest, type DeleteResult, deleteObject } from './verbs/delete.ts';
import { type DeleteCollectionRequest, deleteCollection } from './verbs/delete-collection.ts';
import { type FieldHolders, type FieldHoldersOptions, fieldHolders } from './write/field-holders.ts';
import { type FrozenCountOptions, type FrozenObjects, FrozenObjectCounts } from './write/frozen-objects.ts';
import { crdName, type GateCount } from './write/gate-counts.ts';
import { type GetRequest, getObject } from './verbs/get.ts';
import { type ListRequest, listObjects } from './verbs/list.ts';
import type { ListPage } from './verbs/page-builder.ts';
import type { RegistryParts } from './write/registry-parts.ts';
import { RequestBodies } from './write/request-bodies.ts';
import { type PatchRequest, type PatchType, patchObject } from './verbs/patch.ts';
import { bindPod, type PodBinding } from './pods/bind-pod.ts';
import { type Eviction, evictPod } from './pods/evict-pod.ts';
import type { ResponseObject } from './representation/response-object.ts';
import type { Resource } from './resource/resource.ts';
import { holdsObjects, listStored, readStored, type StoredList, storedValues } from './verbs/stored-read.ts';
import {
  type ChangesOptions,
  type StoredChanges,
  storedChanges,
  storedChangesAfter,
} from './verbs/stored-changes.ts';
import { asScale, getScale, patchScale, updateScale } from './verbs/scale.ts';
import type { ObjectTarget, Target } from './resource/target.ts';
import type { WriteResult } from './verbs/change-object.ts';
import { type UpdateRequest, updateObject } from './verbs/update.ts';
import { type ObjectWatch, type WatchRequest, watchObjects } from './verbs/watch.ts';

export type { RequestContext };

/** The options of a watch that first sends the current state. */
const stateAndChanges: ListOptions = Object.freeze({
  labelSelector: parseLabelSelector(''),
  fieldSelector: new FieldSelector([]),
  filter: '',
  watch: true,
  allowWatchBookmarks: false,
  resourceVersion: '',
  resourceVersionMatch: 'NotOlderThan',
  timeoutSeconds: undefined,
  limit: 0,
  continue: '',
  sendInitialEvents: true,
});

/** The options of a list of everything. */
const wholeState: ListOptions = Object.freeze({
  ...stateAndChanges,
  watch: false,
  resourceVersionMatch: '',
  sendInitialEvents: undefined,
});

/** A write that may start from cached state. */
export interface CachedWrite {
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  readonly name: GroupVersionResource;
  readonly namespace: string;
  readonly subresource: string;
}

/** The admission operations of a verb: an update or a patch may create the object. */
const operations: Readonly<Record<CachedWrite['verb'], readonly Operation[]>> = {
  create: ['CREATE'],
  update: ['UPDATE', 'CREATE'],
  patch: ['UPDATE', 'CREATE'],
  delete: ['DELETE'],
};

/** The size of an index of one field of a resource. */
interface ResourceIndexSize {
  readonly group: string;
  readonly resource: string;
  /** A selectable field, or a label, as named in plans. */
  readonly field: string;
  readonly entries: number;
  readonly values: number;
  readonly changes: number;
}

/** Implements the verbs of the API. All reads and writes of objects go through it. */
export class Registry {
  readonly #parts: RegistryParts;
  readonly #catalogs: CatalogSource;
  readonly #frozen: FrozenObjectCounts;
  /** Decodes bodies that the verbs do not. */
  readonly bodies: RequestBodies;

  constructor(parts: RegistryParts, catalogs: CatalogSource) {
    this.#parts = parts;
    this.bodies = new RequestBodies(parts);
    this.#frozen = new FrozenObjectCounts(parts.slices);
    this.#catalogs = catalogs;
  }

  /** The current catalog. */
  get catalog(): Catalog {
    return this.#catalogs.current;
  }

  /** The catalog, after it includes every write that was acknowledged before the call. */
  async freshCatalog(): Promise<Catalog> {
    return (await this.#catalogs.latest()).catalog;
  }

  /** The catalog for discovery and OpenAPI, which are served even if the storage is unreachable. */
  availableCatalog(): Promise<Catalog> {
    return this.#catalogs.available();
  }

  /**
   * The resource of a URL, for a read at a minimum revision: it includes the CRDs of that revision, and works without
   * the storage. If it is not found, the latest catalog is searched.
   */
  async findAtLeast(name: GroupVersionResource, minRevision: number): Promise<Found | undefined> {
    const catalog = await this.#catalogs.atLeast(minRevision);
    const served = catalog.find(name.group, name.version, name.resource);
    return served === undefined ? this.findLatest(name) : foundAt(served, latest);
  }

  /**
   * The resource of a URL, like {@link find}; the objects need not be fresher than the storage was when the CRDs were
   * checked. A read that asks the storage itself for the latest objects does not wait for the CRDs: it takes a cached
   * resource.
   */
  async findLatest(
    { group, version, resource }: GroupVersionResource,
    { toRead = false } = {},
  ): Promise<Found | undefined> {
    const mayBeCached = toRead && !this.#parts.store.tellsTrueProgress;
    const known = mayBeCached ? this.catalog.find(group, version, resource) : undefined;
    if (known !== undefined) return foundAt(known, latest);
    const { catalog, revision } = await this.#catalogs.latest();
    const served = catalog.find(group, version, resource);
    return served && foundAt(served, atLeast(revision));
  }

  /** {@link findLatest} for a served resource, if it needs no waiting. */
  findNow({ group, version, resource }: GroupVersionResource): Found | undefined {
    const now = this.#catalogs.latestNow;
    const served = now?.catalog.find(group, version, resource);
    return now && served && foundAt(served, atLeast(now.revision));
  }

  /**
   * The cached resource of a URL, for a write inside {@link attemptFromCache}: it sends no request to the storage,
   * and the commit has the preconditions that the resource, and the namespace of a create, have not changed.
   * Undefined if {@link findLatest} must be used directly, as for a write that admission may see only once.
   */
  findCached({ verb, name, namespace, subresource }: CachedWrite): Found | undefined {
    const { admission } = this.#parts;
    const scopes = operations[verb].map((operation) => ({ operation, resource: name, subresource }));
    if (!scopes.every((scope) => admission.isRepeatable(scope))) return undefined;
    return this.#catalogs.cached(name, verb === 'create' ? namespace : '');
  }

  /** The resource of a URL; includes every CRD that was acknowledged before the call. */
  async find(group: string, version: string, resource: string): Promise<Served | undefined> {
    return (await this.freshCatalog()).find(group, version, resource);
  }

  /** Runs admission for a create that is never stored. @throws {StatusError} if it is refused */
  admitUnstored(create: UnstoredCreate): Promise<AdmittedCreate> {
    return admitUnstored(this.#parts, create);
  }

  /** Whether a resource has a subresource of this name. */
  hasSubresource({ version, type }: Pick<Served, 'version' | 'type'>, name: string): boolean {
    if (name === 'status') return version.subresources.status;
    if (name === 'scale') return version.subresources.scale !== undefined;
    return type.furtherSubresources?.some((one) => one.name === name) ?? false;
  }

  /** The kind that an endpoint of an object reads and writes: the object's own, or Scale. */
  shownAt(target: ObjectTarget): ObjectTarget {
    return target.endpoint === 'scale' ? asScale(target) : target;
  }

  /** All gates on fields of custom resources, and their effects on writes since the server started. */
  *fieldGates(): Generator<{ readonly crd: string; readonly gate: FieldGate; readonly count: GateCount }> {
    const { gateCounts } = this.#parts;
    const types = this.catalog.resources.map(({ type }) => type).filter(({ isBuiltIn }) => !isBuiltIn);
    gateCounts.keepOnly(new Set(types.map(crdName)));
    for (const type of types) {
      const crd = crdName(type);
      for (const gate of type.fieldGates?.gates ?? [])
        yield { crd, gate, count: gateCounts.of(crd, gate.name) };
    }
  }

  /**
   * The gates of a CRD that are off, and the number of objects with fields of each; all CRDs if none is named. CRDs
   * whose objects cannot be read at the moment are left out.
   */
  async frozenObjects(
    options: FrozenCountOptions,
    crd?: string,
  ): Promise<(FrozenObjects & { readonly crd: string })[]> {
    const counted: (FrozenObjects & { readonly crd: string })[] = [];
    for (const resource of this.catalog.resources) {
      const name = crdName(resource.type);
      if (resource.type.fieldGates === undefined || (crd ?? name) !== name) continue;
      const rows = await this.#frozen.of(resource, options).catch(() => []);
      counted.push(...rows.map((row) => ({ crd: name, ...row })));
    }
    return counted;
  }

  /** The stored objects of a resource that hold a field; see {@link fieldHolders}. */
  fieldHolders(resource: Resource, options: FieldHoldersOptions): Promise<FieldHolders> {
    return fieldHolders(resource, options, this.#parts.slices);
  }

  /** The size of the indexes for selectors; for a field with an index in two versions, the sum. */
  indexSizes(): readonly ResourceIndexSize[] {
    const sizes = new Map<string, ResourceIndexSize>();
    for (const resource of this.catalog.resources) {
      const { group, resource: name } = resource.type;
      for (const { field, entries, values, changes } of resource.indexSizes()) {
        const key = `${group}/${name} ${field}`;
        const { entries: e, values: v, changes: c } = sizes.get(key) ?? { entries: 0, values: 0, changes: 0 };
        const sum = { entries: e + entries, values: v + values, changes: c + changes };
        sizes.set(key, { group, resource: name, field, ...sum });
      }
    }
    return [...sizes.values()];
  }

  /** The patch types of a resource. */
  patchTypes({ type }: Target): readonly PatchType[] {
    return type.isBuiltIn ? ['json', 'merge', 'strategic', 'apply'] : ['json', 'merge', 'apply'];
  }

  /** A promise only if the call has to wait; most reads are answered synchronously. */
  get(request: GetRequest): ResponseObject | Promise<ResponseObject> {
    return request.target.endpoint === 'scale'
      ? getScale(this.#parts, request)
      : getObject(this.#parts, request);
  }

  list(request: ListRequest): Promise<ListPage> {
    return listObjects(this.#parts, request);
  }

  /** All objects of a collection, at the latest revision. */
  listAll(target: Target, context: RequestContext): Promise<ListPage> {
    return this.list({ target, options: wholeState, context });
  }

  watch(request: WatchRequest): Promise<ObjectWatch> {
    return watchObjects(this.#parts, request);
  }

  /** Watches one object: its current state first, then every change. */
  watchOne(target: Target, name: string, context: RequestContext): Promise<ObjectWatch> {
    const byName = { field: 'metadata.name', operator: '=', value: name } as const;
    return this.watch({
      target,
      options: { ...stateAndChanges, fieldSelector: new FieldSelector([byName]) },
      context,
    });
  }

  /** Watches a collection: its current objects first, then every change. */
  watchAll(target: Target, context: RequestContext): Promise<ObjectWatch> {
    return this.watch({ target, options: stateAndChanges, context });
  }

  /** One object, read from the store; see {@link readStored}. */
  readStored(target: Target, name: string): Promise<KubeObject | undefined> {
    return readStored(this.#parts.store, target, name);
  }

  /** All objects of a collection, read from the store; see {@link listStored}. */
  listStored(target: Target, context: RequestContext): Promise<StoredList> {
    return listStored(target, context);
  }

  /** All objects of a collection by name, as they are stored; see {@link storedValues}. */
  storedValues(target: Target, context: RequestContext): Promise<Map<string, KubeObject>> {
    return storedValues(target, context);
  }

  /** Whether a collection has objects; see {@link holdsObjects}. */
  holdsObjects(target: Target): Promise<boolean> {
    return holdsObjects(this.#parts.store, target);
  }

  /** All objects of every resource, or of one, and all later changes; see {@link storedChanges}. */
  storedChanges(signal: AbortSignal, resource?: Resource): AsyncIterable<StoredChanges> {
    const { prefix, recent } = resource ?? {};
    return storedChanges(this.#parts.store, { signal, prefix, recent });
  }

  /** All changes after a revision; see {@link storedChangesAfter}. */
  storedChangesAfter(revision: number, options: ChangesOptions): AsyncIterable<StoredChanges> {
    return storedChangesAfter(this.#parts.store, revision, options);
  }

  create(request: CreateRequest): Promise<ResponseObject> {
    return createObject(this.#parts, request);
  }

  update(request: UpdateRequest): Promise<WriteResult> {
    return request.target.endpoint === 'scale'
      ? updateScale(this.#parts, request)
      : updateObject(this.#parts, request);
  }

  patch(request: PatchRequest): Promise<WriteResult> {
    if (request.target.endpoint === 'scale') return patchScale(this.#parts, request);
    return request.type === 'apply' ? applyObject(this.#parts, request) : patchObject(this.#parts, request);
  }

  delete(request: DeleteRequest): Promise<DeleteResult> {
    return deleteObject(this.#parts, request);
  }

  /** See {@link evictPod}. */
  evict(eviction: Eviction): Promise<void> {
    return evictPod(this.#parts, eviction);
  }

  /** See {@link bindPod}. */
  bind(binding: PodBinding): Promise<ResponseObject> {
    return bindPod(this.#parts, binding);
  }

  deleteCollection(request: DeleteCollectionRequest): Promise<ListPage> {
    return deleteCollection(this.#parts, request);
  }
}

function foundAt({ resource, type, version, epoch, changes }: Served, freshness: Freshness): Found {
  return { resource, type, version, epoch, changes, freshness };
}
