import { type CrdConditions, compileResourceType, crdConditions } from '../crd/index.ts';
import {
  type Clock,
  equal,
  type FeatureGates,
  type KubeObject,
  limits,
  metadataOf,
  metadataString,
  nameOf,
  own,
  ownObject,
} from '../meta/index.ts';
import { compileRules, type RuleEnvironments, SchemaCache } from '../schema/index.ts';
import type { Store } from '../storage/index.ts';
import type { Subscription, ViewEntry } from '../cache/index.ts';
import { Catalog } from './catalog.ts';
import { renamingConverter } from './convert.ts';
import { customResourceStrategy } from './custom-resource-strategy.ts';
import { FieldManagement } from './field-management.ts';
import { type Forms, formObject, formOf } from './forms.ts';
import { viewCall } from './freshness.ts';
import type { BuiltInKind } from './kinds/kind.ts';
import type { CatalogSource } from './registry.ts';
import { Resource, type ResourceRules, type ResourceState } from './resource.ts';

export interface LiveCatalogOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly gates: FeatureGates;
  readonly builtIn: readonly BuiltInKind[];
  /** What the rules of custom resources may use. */
  readonly rules: RuleEnvironments;
  /** The built-in kind whose objects are the CRDs. */
  readonly crdKind: BuiltInKind;
  /** Told of a CRD that cannot be served although it was accepted, for the log. */
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
  readonly entries: ReadonlyMap<string, { readonly crd: KubeObject; readonly resource: ResourceState }>;
}

/** A CRD as it is served. */
interface Entry {
  readonly crd: KubeObject;
  readonly resource: Resource;
}

/**
 * The catalog, kept up to date with the CRDs that are stored: they come up the same road as every other change, are
 * compiled, and one assignment swaps the snapshot that all others read.
 */
export class LiveCatalog implements CatalogSource {
  readonly #options: LiveCatalogOptions;
  readonly #schemas: SchemaCache;
  readonly #builtIn: readonly Resource[];
  readonly #crds: Resource;
  readonly #entries = new Map<string, Entry>();
  readonly #abort = new AbortController();
  readonly #waiting = new Set<{ readonly revision: number; readonly resolve: () => void }>();
  #current: Catalog;
  #subscription: Subscription<Forms> | undefined;
  #run: Promise<void> | undefined;

  constructor(options: LiveCatalogOptions) {
    this.#options = options;
    const state = options.from?.state;
    this.#schemas =
      state?.schemas ?? new SchemaCache({ gates: options.gates, compileRules: compileRules(options.rules) });
    this.#builtIn = state
      ? state.builtIn.map((one) => this.#forked(one))
      : options.builtIn.map((kind) => this.#builtInResource(kind));
    this.#crds = state ? this.#forked(state.crds) : this.#builtInResource(options.crdKind);
    for (const [name, { crd, resource }] of state?.entries ?? []) {
      this.#entries.set(name, { crd, resource: this.#forked(resource) });
    }
    this.#current = this.#catalog();
  }

  get current(): Catalog {
    return this.#current;
  }

  /** What it is now, for forks; costs nothing, however many objects there are. */
  state(): CatalogState {
    return {
      revision: this.#revision,
      schemas: this.#schemas,
      builtIn: this.#builtIn.map((resource) => resource.state()),
      crds: this.#crds.state(),
      entries: new Map(
        [...this.#entries].map(([name, { crd, resource }]) => [name, { crd, resource: resource.state() }]),
      ),
    };
  }

  /** Loads what is stored, unless it is a fork, and follows it from there on. */
  async start(): Promise<void> {
    const { from } = this.#options;
    if (from !== undefined) {
      this.#run = this.#follow(from.state.revision);
      return;
    }
    const { view } = this.#crds;
    await view.ready({ signal: this.#abort.signal });
    const snapshot = view.snapshot();
    for (const entry of snapshot.range({ start: this.#crds.prefix, end: `${this.#crds.prefix}\uffff` })) {
      this.#apply(entry);
    }
    this.#publish();
    this.#run = this.#follow(snapshot.revision);
  }

  async fresh(): Promise<Catalog> {
    const { view } = this.#crds;
    const revision = await viewCall(() => view.consistent({ timeoutMs: limits.freshnessWaitMsMax }));
    if (this.#revision < revision) await this.#reached(revision);
    return this.#current;
  }

  /** The namespace as of now, for admission. */
  async findNamespace(name: string): Promise<KubeObject | undefined> {
    const served = this.#current.find('', 'v1', 'namespaces');
    if (served === undefined) return undefined;
    const { view } = served.resource;
    await viewCall(() => view.consistent({ timeoutMs: limits.freshnessWaitMsMax }));
    const entry = view.get(served.resource.key('', name));
    return entry && formObject(formOf(entry, served), entry.modRevision);
  }

  /** Stops following, and closes every view. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#run;
    const resources = [
      ...this.#builtIn,
      this.#crds,
      ...[...this.#entries.values()].map((one) => one.resource),
    ];
    await Promise.all(resources.map((resource) => resource.close()));
  }

  #builtInResource({ type, strategy, storedAs, mergeType }: BuiltInKind): Resource {
    const converter = storedAs?.converter ?? renamingConverter(type);
    const rules = {
      type,
      strategy,
      converter,
      fields: new FieldManagement(type, mergeType),
      ...(storedAs === undefined ? {} : { prefix: storedAs.prefix }),
    };
    return this.#resource(rules);
  }

  #resource(rules: ResourceRules): Resource {
    const { store, clock } = this.#options;
    return new Resource(rules, { store, clock });
  }

  #forked(state: ResourceState): Resource {
    const { store, clock, from } = this.#options;
    return new Resource(state.rules, { store, clock, from: { state, current: from?.current ?? 0 } });
  }

  /** Whoever waits is released when the next event is asked for: everything before has been applied then. */
  async #follow(after: number): Promise<void> {
    const { signal } = this.#abort;
    const subscription = this.#crds.view.subscribe({ after, scope: { kind: 'all' }, signal });
    this.#subscription = subscription;
    for (;;) {
      const next = subscription.next();
      this.#release();
      const { done, value } = await next;
      if (done === true) return;
      for (const { type, entry } of value) {
        if (type === 'DELETED') this.#remove(entry);
        else this.#apply(entry);
      }
      this.#publish();
    }
  }

  #apply(entry: ViewEntry<Forms>): void {
    try {
      this.#applyCrd(this.#decode(entry));
    } catch (error) {
      this.#options.onTrouble(error);
    }
  }

  #decode(entry: ViewEntry<Forms>): KubeObject {
    const { type } = this.#crds;
    const version = type.storageVersion;
    const { epoch, changed } = this.#crds;
    const form = formOf(entry, { resource: this.#crds, type, version, epoch, changed });
    return formObject(form, entry.modRevision);
  }

  /** A CRD whose spec and names are the same serves as before: only its conditions may differ. */
  #applyCrd(crd: KubeObject): void {
    const known = this.#entries.get(nameOf(crd));
    if (known !== undefined && metadataString(known.crd, 'uid') === metadataString(crd, 'uid')) {
      if (servesAlike(known.crd, crd)) this.#amend(known, crd);
      else known.resource.swap(this.#rulesOf(crd));
      this.#entries.set(nameOf(crd), { crd, resource: known.resource });
      return;
    }
    void known?.resource.close();
    const resource = this.#resource(this.#rulesOf(crd));
    this.#entries.set(nameOf(crd), { crd, resource });
  }

  #amend({ resource }: Entry, crd: KubeObject): void {
    const conditions: CrdConditions = crdConditions(crd);
    const { strategy, converter, fields, type } = resource;
    resource.amend({ strategy, converter, fields, type: Object.freeze({ ...type, ...conditions }) });
  }

  #rulesOf(crd: KubeObject) {
    const type = compileResourceType(crd, { gates: this.#options.gates, schemas: this.#schemas });
    return {
      type,
      strategy: customResourceStrategy,
      converter: renamingConverter(type),
      fields: new FieldManagement(type),
    };
  }

  #remove(entry: ViewEntry<Forms>): void {
    const name = entry.key.slice(this.#crds.prefix.length);
    void this.#entries.get(name)?.resource.close();
    this.#entries.delete(name);
  }

  #publish(): void {
    this.#current = this.#catalog();
  }

  #catalog(): Catalog {
    const custom = [...this.#entries.values()].map(({ resource }) => resource);
    return new Catalog([...this.#builtIn, this.#crds, ...custom]);
  }

  /** How far the catalog has come. */
  get #revision(): number {
    return this.#subscription?.revision ?? 0;
  }

  #release(): void {
    for (const waiter of this.#waiting) {
      if (waiter.revision > this.#revision) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }

  #reached(revision: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.add({ revision, resolve }));
  }
}

/** The generation moves with the spec; names are served as they were accepted. */
function servesAlike(a: KubeObject, b: KubeObject): boolean {
  const generation = (crd: KubeObject) => own(metadataOf(crd), 'generation');
  const names = (crd: KubeObject) => own(ownObject(crd, 'status') ?? {}, 'acceptedNames');
  return equal(generation(a), generation(b)) && equal(names(a), names(b));
}
