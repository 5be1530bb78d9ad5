import { setTimeout as sleep } from 'node:timers/promises';
import { Freshness, type Subscription, type ViewEntry, ViewError } from '../../cache/index.ts';
import {
  type Clock,
  type FeatureGates,
  type GroupVersionResource,
  invariant,
  type KubeObject,
  limits,
  type SelectorOptions,
  StatusError,
  type Timers,
} from '../../meta/index.ts';
import { compileRules, type RuleEnvironments, SchemaCache } from '../../schema/index.ts';
import { type Precondition, prefixRange, type Store } from '../../storage/index.ts';
import { type Catalog, CatalogBuilder } from './catalog.ts';
import { conversionRules } from '../resource/conversion-rules.ts';
import { type ConnectConversion, renamingConverter } from '../representation/convert.ts';
import { LiveObjects } from './live-objects.ts';
import { ServedObjects } from './served-objects.ts';
import { CustomResources, type CustomResourcesState } from './custom-resources.ts';
import { FieldManagement } from '../resource/field-management.ts';
import { Filters } from '../filter/filters.ts';
import {
  type Representations,
  representationObject,
  representationOf,
} from '../representation/representation.ts';
import { atLeast, cached, latest } from '../resource/freshness.ts';
import { viewCall, waitForLatest } from '../resource/view-wait.ts';
import type { BuiltInKind } from '../../kinds/index.ts';
import { RecentObjects } from '../representation/recent-objects.ts';
import type { CatalogSource, Found, LatestCatalog } from './catalog-source.ts';
import {
  Resource,
  type ResourceParts,
  type ResourceRules,
  type ResourceState,
} from '../resource/resource.ts';

export interface LiveCatalogOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly gates: FeatureGates;
  readonly selectors: SelectorOptions;
  readonly builtIn: readonly BuiltInKind[];
  /** What the rules of custom resources may use. */
  readonly rules: RuleEnvironments;
  /** Connects to the webhooks that convert. */
  readonly connectConversion: ConnectConversion;
  /** The built-in kind whose objects are the CRDs. */
  readonly crdKind: BuiltInKind;
  /** Whether other servers change the same CRDs: then it takes a question to the storage to know the latest ones. */
  readonly shared?: boolean;
  /** Told of a CRD that cannot be served although it was accepted, and of every interruption, for the log. */
  readonly onTrouble: (error: unknown) => void;
  /** The state of the catalog that this one is a fork of, and the revision at which its store was forked. */
  readonly from?: { readonly state: CatalogState; readonly current: number } | undefined;
}

/** What a catalog is at a moment: everything that was compiled serves in each fork. */
export interface CatalogState {
  /** What was stored up to here is in it. */
  readonly revision: number;
  readonly schemas: SchemaCache;
  readonly builtIn: readonly ResourceState[];
  readonly crds: ResourceState;
  readonly custom: CustomResourcesState;
}

/** How long to wait before what was interrupted is taken up again. */
const retryMs = 50;

/** What is said while the storage is away. */
const awayReasons: ReadonlySet<string> = new Set(['ServiceUnavailable', 'Timeout']);

/**
 * The catalog, kept up to date with the CRDs that are stored: they come up the same road as every other change, are
 * compiled, and one assignment swaps the snapshot that all others read.
 */
export class LiveCatalog implements CatalogSource {
  /** The objects of any kind, for admission. */
  readonly objects = new ServedObjects(() => this.#current);
  readonly #options: LiveCatalogOptions;
  readonly #filters: Filters;
  readonly #recent = new RecentObjects();
  readonly #builtIn: readonly Resource[];
  readonly #crds: Resource;
  readonly #custom: CustomResources;
  readonly #schemas: SchemaCache;
  readonly #builder = new CatalogBuilder();
  readonly #abort = new AbortController();
  readonly #freshness: Freshness;
  /** Namespaces as admission sees them: every create looks at one. */
  readonly #namespaces = new WeakMap<ViewEntry<Representations>, KubeObject>();
  /** By which CRDs the current catalog was made. */
  readonly #crdRevisions = new Map<string, number>();
  #current: Catalog;
  /** True where the builder has seen what the current catalog has not. */
  #changed = false;
  #subscription: Subscription<Representations> | undefined;
  #run: Promise<void> | undefined;

  constructor(options: LiveCatalogOptions) {
    this.#options = options;
    this.#filters = new Filters(() => options.rules.forNew, options.clock);
    const state = options.from?.state;
    const { gates, rules } = options;
    this.#schemas = state?.schemas ?? new SchemaCache({ gates, compileRules: compileRules(rules) });
    this.#builtIn = state
      ? state.builtIn.map((one) => this.#forked(one))
      : options.builtIn.map((kind) => this.#builtInResource(kind));
    this.#crds = state ? this.#forked(state.crds) : this.#builtInResource(options.crdKind);
    this.#freshness = new Freshness({
      current: () => this.#revision,
      // The view of the CRDs asks for itself.
      askProgress: () => {},
      askEveryMs: limits.freshnessWaitMsMax,
    });
    for (const resource of [...this.#builtIn, this.#crds]) this.#builder.put(resource);
    this.#custom = this.#customResources();
    if (state !== undefined) this.#custom.goOnFrom(state.custom, (one) => this.#forked(one));
    this.#current = this.#builder.build();
  }

  get current(): Catalog {
    return this.#current;
  }

  /** Loads what forks are likely to read, so that not each of them has to. */
  openWritten(): void {
    this.#custom.openWritten();
  }

  /** What it is now, for forks; costs nothing, however many objects there are. */
  state(): CatalogState {
    return {
      revision: this.#revision,
      schemas: this.#schemas,
      builtIn: this.#builtIn.map((resource) => resource.state()),
      crds: this.#crds.state(),
      custom: this.#custom.state(),
    };
  }

  /** Loads what is stored, unless it is a fork, and follows it from there on. */
  async start(): Promise<void> {
    const { from } = this.#options;
    if (from === undefined) await this.#crds.view.ready({ signal: this.#abort.signal });
    this.#run = this.#follow(from === undefined ? this.#load() : this.#subscribe(from.state.revision));
  }

  /** @throws {StatusError} 504 where the catalog does not get there in time, 503 once it is closed */
  async latest(): Promise<LatestCatalog> {
    const { view } = this.#crds;
    const timeoutMs = limits.freshnessWaitMsMax;
    const revision = await viewCall(async () => {
      if (this.#abort.signal.aborted) throw new ViewError('closed');
      const there = await view.consistent({ timeoutMs });
      if (this.#revision < there) await this.#freshness.wait(there, { timeoutMs });
      return there;
    });
    return { catalog: this.#current, revision };
  }

  async available(): Promise<Catalog> {
    await this.#soon(this.latest());
    return this.#current;
  }

  async atLeast(minRevision: number): Promise<Catalog> {
    if (this.#options.shared !== true) return this.available();
    if (this.#revision < minRevision) await this.#soon(this.#reach(minRevision));
    return this.#current;
  }

  cached({ group, version, resource }: GroupVersionResource, namespace: string): Found | undefined {
    const served = this.#options.shared === true ? this.#current.find(group, version, resource) : undefined;
    if (served === undefined) return undefined;
    const preconditions: Precondition[] = [];
    if (group !== '') {
      const name = `${resource}.${group}`;
      const modRevision = this.#crdRevisions.get(name);
      if (modRevision === undefined && !served.type.isBuiltIn) return undefined;
      // No CRD may have taken the place of a built-in kind meanwhile.
      preconditions.push({ key: this.#crds.key('', name), modRevision: modRevision ?? 0 });
    }
    if (namespace !== '') {
      const namespaces = this.#current.find('', 'v1', 'namespaces')?.resource;
      const entry = namespaces?.view.get(namespaces.key('', namespace));
      if (entry === undefined) return undefined;
      preconditions.push({ key: entry.key, modRevision: entry.modRevision });
    }
    const { type, epoch, changes } = served;
    return {
      resource: served.resource,
      type,
      version: served.version,
      epoch,
      changes,
      freshness: cached(preconditions),
    };
  }

  /** @throws {StatusError} 504 where the catalog does not get there in time, 503 once it is closed */
  #reach(revision: number): Promise<void> {
    const timeoutMs = limits.catalogWaitMsMax;
    return viewCall(async () => {
      await this.#crds.view.atLeast(revision, { timeoutMs });
      await this.#freshness.wait(revision, { timeoutMs });
    });
  }

  /** Waits for the catalog, but not for long, and not at all for a storage that is away. */
  async #soon(ready: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limits.catalogWaitMsMax);
    });
    const awayOrReady = ready.catch((error: unknown) => {
      if (!(error instanceof StatusError) || !awayReasons.has(error.reason)) throw error;
    });
    try {
      await Promise.race([awayOrReady, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** All objects of a built-in resource, for those who look at them with every write. */
  liveObjects({ group, version, resource }: GroupVersionResource): LiveObjects {
    const served = this.#current.find(group, version, resource);
    invariant(served !== undefined, `${resource} are always served`);
    return new LiveObjects(served);
  }

  /** The namespace as of a revision at least; undefined: the latest. For admission. It is shared, and must not be changed. */
  async findNamespace(name: string, minRevision: number | undefined): Promise<KubeObject | undefined> {
    const served = this.#current.find('', 'v1', 'namespaces');
    if (served === undefined) return undefined;
    const { resource } = served;
    const freshness = minRevision === undefined ? latest : atLeast(minRevision);
    await waitForLatest({ resource, freshness }, { timeoutMs: limits.freshnessWaitMsMax });
    const entry = resource.view.get(served.resource.key('', name));
    if (entry === undefined) return undefined;
    const known =
      this.#namespaces.get(entry) ?? representationObject(representationOf(entry, served), entry.modRevision);
    this.#namespaces.set(entry, known);
    return known;
  }

  /** Stops following, refuses those who wait, and closes every view. */
  async close(): Promise<void> {
    this.#abort.abort();
    this.#freshness.fail(new ViewError('closed'));
    await this.#run;
    const resources = [...this.#builtIn, this.#crds];
    await Promise.all([...resources.map((resource) => resource.close()), this.#custom.close()]);
  }

  #builtInResource({ type, strategy, storedAs, mergeType, patchType }: BuiltInKind): Resource {
    const converter = storedAs?.converter ?? renamingConverter(type);
    const rules = {
      type,
      strategy,
      converter,
      fields: new FieldManagement(type, { mergeType, patchType }),
      ...(storedAs === undefined ? {} : { prefix: storedAs.prefix }),
    };
    return this.#resource(rules);
  }

  #resource(rules: ResourceRules): Resource {
    return new Resource(rules, this.#resourceParts());
  }

  #resourceParts(): ResourceParts {
    const { store, clock, timers, selectors } = this.#options;
    return { store, clock, timers, selectors, filters: this.#filters, recent: this.#recent };
  }

  #forked(state: ResourceState): Resource {
    const { from, connectConversion } = this.#options;
    // Connections to a webhook are not shared: each server closes its own.
    const rules =
      state.rules.converter.webhook === undefined
        ? state.rules
        : { ...state.rules, ...conversionRules(state.rules.type, connectConversion) };
    const start = { state, current: from?.current ?? 0 };
    return new Resource(rules, { ...this.#resourceParts(), from: start });
  }

  #customResources(): CustomResources {
    const alter = (change: () => void) => {
      change();
      this.#changed = true;
    };
    return new CustomResources({
      gates: this.#options.gates,
      selectors: this.#options.selectors,
      schemas: this.#schemas,
      connectConversion: this.#options.connectConversion,
      makeResource: (rules) => this.#resource(rules),
      onPut: (resource) => alter(() => this.#builder.put(resource)),
      onDrop: (resource) => alter(() => this.#drop(resource)),
      onUnreadable: (name, error) => this.#giveUp(name, error),
    });
  }

  /** Takes what is stored now in place of what was known; gives what comes after it. */
  #load(): Subscription<Representations> {
    const { view, prefix } = this.#crds;
    const snapshot = view.snapshot();
    const subscription = this.#subscribe(snapshot.revision);
    const gone = new Set(this.#custom.names);
    for (const entry of snapshot.range(prefixRange(prefix))) {
      gone.delete(this.#nameOf(entry));
      this.#put(entry);
    }
    for (const name of gone) this.#forget(name);
    this.#publish();
    return subscription;
  }

  #subscribe(after: number): Subscription<Representations> {
    const { signal } = this.#abort;
    this.#subscription = this.#crds.view.subscribe({ after, scope: { kind: 'all' }, signal });
    return this.#subscription;
  }

  /** For ever: where what comes next was forgotten, or a bug shows, the present state is taken and followed anew. */
  async #follow(first: Subscription<Representations>): Promise<void> {
    const { signal } = this.#abort;
    let loaded: Subscription<Representations> | undefined = first;
    while (!signal.aborted) {
      try {
        await this.#takeFrom(loaded ?? this.#load());
        break;
      } catch (error) {
        loaded = undefined;
        if (!signal.aborted) this.#options.onTrouble(error);
      }
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
    this.#freshness.fail(new ViewError('closed'));
  }

  /** Whoever waits is released when the next event is asked for: everything before has been applied then. */
  async #takeFrom(subscription: Subscription<Representations>): Promise<void> {
    for (;;) {
      const next = subscription.next();
      this.#freshness.advanced(this.#revision);
      const { done, value } = await next;
      if (done === true) return;
      for (const { type, entry } of value) {
        if (type === 'DELETED') this.#forget(this.#nameOf(entry));
        else this.#put(entry);
      }
      this.#publish();
    }
  }

  #put(entry: ViewEntry<Representations>): void {
    const name = this.#nameOf(entry);
    try {
      this.#custom.put(name, entry.value, this.#crds.recent.get(entry.modRevision));
      this.#crdRevisions.set(name, entry.modRevision);
    } catch (error) {
      this.#crdRevisions.delete(name);
      this.#options.onTrouble(error);
    }
  }

  /** A kind of an OpenAPI document whose place a CRD had taken is served again. */
  #drop(resource: Resource): void {
    this.#builder.drop(resource);
    for (const one of this.#builtIn) if (isSamePlace(one, resource)) this.#builder.put(one);
  }

  #forget(name: string): void {
    this.#crdRevisions.delete(name);
    this.#custom.drop(name);
  }

  #giveUp(name: string, error: unknown): void {
    this.#options.onTrouble(error);
    this.#forget(name);
    this.#publish();
  }

  #nameOf({ key }: ViewEntry<Representations>): string {
    return key.slice(this.#crds.prefix.length);
  }

  #publish(): void {
    if (!this.#changed) return;
    this.#changed = false;
    this.#current = this.#builder.build();
  }

  /** How far the catalog has come. */
  get #revision(): number {
    return this.#subscription?.revision ?? 0;
  }
}

function isSamePlace({ type: a }: Resource, { type: b }: Resource): boolean {
  return a.group === b.group && a.resource === b.resource;
}
