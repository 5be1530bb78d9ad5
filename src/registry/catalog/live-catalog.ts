import { type ViewEntry, ViewError } from '../../cache/index.ts';
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
import type { Precondition, Store } from '../../storage/index.ts';
import { type Catalog, CatalogBuilder } from './catalog.ts';
import { conversionRules } from '../resource/conversion-rules.ts';
import { type ConnectConversion, renamingConverter } from '../representation/convert.ts';
import { CrdFollower, type CrdTarget } from './crd-follower.ts';
import { Namespaces } from './namespaces.ts';
import { LiveObjects } from './live-objects.ts';
import { ServedObjects } from './served-objects.ts';
import { CustomResources, type CustomResourcesState } from './custom-resources.ts';
import { FieldManagement } from '../resource/field-management.ts';
import { Filters } from '../filter/filters.ts';
import type { Representations } from '../representation/representation.ts';
import { cached } from '../resource/freshness.ts';
import { viewCall } from '../resource/view-wait.ts';
import type { BuiltInKind } from '../../kinds/index.ts';
import { RecentObjects } from '../representation/recent-objects.ts';
import type { CatalogSource, Found, LatestCatalog } from './catalog-source.ts';
import {
  Resource,
  type ResourceParts,
  type ResourceRules,
  type ResourceState,
} from '../resource/resource.ts';

interface LiveCatalogOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly gates: FeatureGates;
  readonly selectors: SelectorOptions;
  readonly builtIn: readonly BuiltInKind[];
  /** The CEL environments of custom resource rules. */
  readonly rules: RuleEnvironments;
  /** Creates the clients of webhooks. */
  readonly connectConversion: ConnectConversion;
  /** The built-in kind of the CRDs. */
  readonly crdKind: BuiltInKind;
  /** True if other servers write the same CRDs: the latest ones are known only after a request to the storage. */
  readonly shared?: boolean;
  /** Called, for the log, with an accepted CRD that cannot be served, and with every interruption. */
  readonly onTrouble: (error: unknown) => void;
  /** The state of the parent catalog, and the revision at which its store was forked. */
  readonly from?: { readonly state: CatalogState; readonly current: number } | undefined;
}

/** A snapshot of the catalog; forks share everything that was compiled. */
export interface CatalogState {
  /** Includes everything stored up to this revision. */
  readonly revision: number;
  readonly schemas: SchemaCache;
  readonly builtIn: readonly ResourceState[];
  readonly crds: ResourceState;
  readonly custom: CustomResourcesState;
}

/** Reasons of refusals while the storage is unreachable. */
const awayReasons: ReadonlySet<string> = new Set(['ServiceUnavailable', 'Timeout']);

/**
 * Keeps the catalog up to date with the stored CRDs. CRDs are watched like any other object and compiled; one
 * assignment replaces the snapshot that all readers use.
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
  readonly #follower: CrdFollower;
  readonly #namespaces = new Namespaces(() => this.#current.find('', 'v1', 'namespaces'));
  /** The CRDs that the current catalog was made from. */
  readonly #crdRevisions = new Map<string, number>();
  #current: Catalog;
  /** True if the builder has changes that the current catalog does not include. */
  #changed = false;
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
    this.#follower = this.#crdFollower();
    for (const resource of [...this.#builtIn, this.#crds]) this.#builder.put(resource);
    this.#custom = this.#customResources();
    if (state !== undefined) this.#custom.goOnFrom(state.custom, (one) => this.#forked(one));
    this.#current = this.#builder.build();
  }

  get current(): Catalog {
    return this.#current;
  }

  /** Loads in advance what forks are likely to read, once for all forks. */
  openWritten(): void {
    this.#custom.openWritten();
  }

  /** The current state, for forks; the cost does not depend on the number of objects. */
  state(): CatalogState {
    return {
      revision: this.#follower.revision,
      schemas: this.#schemas,
      builtIn: this.#builtIn.map((resource) => resource.state()),
      crds: this.#crds.state(),
      custom: this.#custom.state(),
    };
  }

  /** Loads the stored CRDs (a fork has them already) and watches them. */
  async start(): Promise<void> {
    const { from } = this.#options;
    if (from === undefined) await this.#crds.view.ready({ signal: this.#abort.signal });
    this.#run = this.#follower.follow(
      from === undefined ? this.#follower.load() : this.#follower.subscribe(from.state.revision),
    );
  }

  /** @throws {StatusError} 504 on a timeout, 503 once the catalog is closed */
  async latest(): Promise<LatestCatalog> {
    const { view } = this.#crds;
    const timeoutMs = limits.freshnessWaitMsMax;
    const revision = await viewCall(async () => {
      if (this.#abort.signal.aborted) throw new ViewError('closed');
      const there = await view.consistent({ timeoutMs });
      if (this.#follower.revision < there) await this.#follower.wait(there, { timeoutMs });
      return there;
    });
    return { catalog: this.#current, revision };
  }

  get latestNow(): LatestCatalog | undefined {
    const revision = this.#crds.view.consistentNow;
    if (revision === undefined || this.#follower.revision < revision || this.#abort.signal.aborted)
      return undefined;
    return { catalog: this.#current, revision };
  }

  async available(): Promise<Catalog> {
    await this.#soon(this.latest());
    return this.#current;
  }

  async atLeast(minRevision: number): Promise<Catalog> {
    if (this.#options.shared !== true) return this.available();
    if (this.#follower.revision < minRevision) await this.#soon(this.#reach(minRevision));
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
      // A CRD may have replaced a built-in kind meanwhile.
      preconditions.push({ key: this.#crds.key('', name), modRevision: modRevision ?? 0 });
    }
    if (namespace !== '') {
      const entry = this.#namespaces.entry(namespace);
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

  /** @throws {StatusError} 504 on a timeout, 503 once the catalog is closed */
  #reach(revision: number): Promise<void> {
    const timeoutMs = limits.catalogWaitMsMax;
    return viewCall(async () => {
      await this.#crds.view.atLeast(revision, { timeoutMs });
      await this.#follower.wait(revision, { timeoutMs });
    });
  }

  /** Waits briefly for the catalog, and not at all if the storage is unreachable. */
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

  /** All objects of a built-in resource, for callers that read them on every write. */
  liveObjects({ group, version, resource }: GroupVersionResource): LiveObjects {
    const served = this.#current.find(group, version, resource);
    invariant(served !== undefined, `${resource} are always served`);
    return new LiveObjects(served);
  }

  /** The namespace at a minimum revision; undefined: the latest. For admission. Shared; must not be changed. */
  findNamespace(name: string, minRevision: number | undefined): Promise<KubeObject | undefined> {
    return this.#namespaces.find(name, minRevision);
  }

  /** Stops the watch, rejects waiting callers, and closes every view. */
  async close(): Promise<void> {
    this.#abort.abort();
    this.#follower.close();
    await this.#run;
    const resources = [...this.#builtIn, this.#crds];
    await Promise.all([...resources.map((resource) => resource.close()), this.#custom.close()]);
  }

  #builtInResource({ type, strategy, storedAs, mergeType, patchType, resetFields }: BuiltInKind): Resource {
    const converter = storedAs?.converter ?? renamingConverter(type);
    const rules = {
      type,
      strategy,
      converter,
      fields: new FieldManagement(type, { mergeType, patchType, resetFields, converter }),
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

  #crdFollower(): CrdFollower {
    const custom = () => this.#custom;
    const target: CrdTarget = {
      get names() {
        return custom().names;
      },
      put: (name, entry) => this.#put(name, entry),
      forget: (name) => this.#forget(name),
      publish: () => this.#publish(),
    };
    const { onTrouble } = this.#options;
    return new CrdFollower({ crds: this.#crds, target, signal: this.#abort.signal, onTrouble });
  }

  #put(name: string, entry: ViewEntry<Representations>): void {
    try {
      this.#custom.put(name, entry.value, this.#crds.recent.get(entry.modRevision));
      this.#crdRevisions.set(name, entry.modRevision);
    } catch (error) {
      this.#crdRevisions.delete(name);
      this.#options.onTrouble(error);
    }
  }

  /** Serves a kind of an OpenAPI document again that a CRD had replaced. */
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

  #publish(): void {
    if (!this.#changed) return;
    this.#changed = false;
    this.#current = this.#builder.build();
  }
}

function isSamePlace({ type: a }: Resource, { type: b }: Resource): boolean {
  return a.group === b.group && a.resource === b.resource;
}
