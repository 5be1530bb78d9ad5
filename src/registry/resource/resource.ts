import { LiveView, type Snapshot, type ViewStart } from '../../cache/index.ts';
import type { ResourceType, ResourceVersion } from '../../crd/index.ts';
import {
  type Clock,
  type GroupResource,
  limits,
  type SelectorOptions,
  systemTimers,
  type Timers,
} from '../../meta/index.ts';
import type { Store } from '../../storage/index.ts';
import { ChangeSignal } from './change-signal.ts';
import type { Representations } from '../representation/representation.ts';
import type { ResourceConverter } from '../representation/convert.ts';
import type { FieldManagement } from './field-management.ts';
import type { Filters } from '../filter/filters.ts';
import type { RepresentedResource, WriteRecord } from '../representation/represented.ts';
import { ResourceIndexes } from '../indexes/resource-indexes.ts';
import { RecentObjects } from '../representation/recent-objects.ts';
import type { Strategy } from '../../kinds/index.ts';
import { KeyLock } from './key-lock.ts';
import { keyPrefixOf } from './key-prefix.ts';

/** What a resource does with objects besides storing them. */
export interface ResourceRules {
  readonly type: ResourceType;
  readonly strategy: Strategy;
  readonly converter: ResourceConverter;
  readonly fields: FieldManagement;
  /** Under which its objects are kept, where that is not the place of its own name. */
  readonly prefix?: string;
}

/** What a resource is at a moment: enough to serve the same in a fork of the store, without loading or compiling. */
export interface ResourceState {
  readonly rules: ResourceRules;
  /** Undefined where nobody has asked for its objects yet. */
  readonly view: Snapshot<Representations> | undefined;
  readonly writeRecords: ReadonlyMap<number, WriteRecord>;
  /** What its objects can be looked up by: the same for both sides, so that neither makes it anew. */
  readonly indexes: ResourceIndexes | undefined;
}

/** What a resource is made with. */
export interface ResourceParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers?: Timers;
  /** The state of the resource that it is a fork of, and the revision of the store at which it was forked. */
  readonly from?: { readonly state: ResourceState; readonly current: number } | undefined;
  readonly selectors: SelectorOptions;
  readonly filters: Filters;
  /** Shared by all resources of a store; its own where it is left out. */
  readonly recent?: RecentObjects;
}

/** Long enough for a write to come back up to the view; what is forgotten is decoded and compared. */
const rememberedWritesMax = 1_000;

/**
 * One resource that is served: its rules of the moment and the live view of its objects.
 * The view stays when the rules change; watches end then, so that clients see the new schema.
 */
export class Resource implements RepresentedResource {
  /** Of this store's resources, by revision. */
  readonly recent: RecentObjects;
  /** Locks the keys of objects that many writers contend for. */
  readonly keyLock = new KeyLock();
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #filters: Filters;
  #rules: ResourceRules;
  #view: LiveView<Representations> | undefined;
  #epoch = 0;
  /** What was written before a fork: shared by both sides, and changed by neither. */
  #forkedWriteRecords: ReadonlyMap<number, WriteRecord>;
  #writeRecords = new Map<number, WriteRecord>();
  #viewStart: ViewStart<Representations> | undefined;
  #closed = false;
  #changed = new ChangeSignal();
  #indexes: ResourceIndexes | undefined;

  constructor(rules: ResourceRules, parts: ResourceParts) {
    const { store, clock, timers = systemTimers, selectors, filters, from } = parts;
    this.recent = parts.recent ?? new RecentObjects();
    this.#rules = rules;
    this.#store = store;
    this.#clock = clock;
    this.#timers = timers;
    this.#filters = filters;
    this.#forkedWriteRecords = from?.state.writeRecords ?? new Map();
    if (from?.state.view !== undefined) {
      this.#viewStart = { snapshot: from.state.view, current: from.current };
    }
    if (selectors.indexes) this.#indexes = from?.state.indexes ?? new ResourceIndexes(this.prefix);
  }

  /** What it is now; costs nothing, however many objects there are. */
  state(): ResourceState {
    if (this.#writeRecords.size > 0) {
      const all = [...this.#forkedWriteRecords, ...this.#writeRecords];
      this.#forkedWriteRecords = new Map(all.slice(-rememberedWritesMax));
      this.#writeRecords = new Map();
    }
    const [rules, view, writeRecords] = [this.#rules, this.#viewState(), this.#forkedWriteRecords];
    return { rules, view, writeRecords, indexes: this.#indexes };
  }

  /** A view that has not been opened yet still has what it would begin with. */
  #viewState(): Snapshot<Representations> | undefined {
    if (this.#view === undefined) return this.#viewStart?.snapshot;
    return this.#view.revision === 0 ? undefined : this.#view.snapshot();
  }

  get type(): ResourceType {
    return this.#rules.type;
  }

  get strategy(): Strategy {
    return this.#rules.strategy;
  }

  get converter(): ResourceConverter {
    return this.#rules.converter;
  }

  get fields(): FieldManagement {
    return this.#rules.fields;
  }

  /** The name in refusals: `widgets.example.com`. */
  get groupResource(): GroupResource {
    return { group: this.type.group, resource: this.type.resource };
  }

  /** What each index costs; nothing where nobody has asked for the objects yet. */
  indexSizes(): ReturnType<LiveView<Representations>['indexSizes']> {
    return this.#view?.indexSizes() ?? [];
  }

  /** Opened on first use: a thousand CRDs that nobody reads cost no memory. Stands still once the resource is closed. */
  get view(): LiveView<Representations> {
    this.#view ??= this.#openView();
    return this.#view;
  }

  /** Opens the view where something was written: a fork reads it, and shares what is open. */
  openWritten(): void {
    const isWritten = this.#writeRecords.size > 0 || this.#forkedWriteRecords.size > 0;
    if (isWritten && !this.#closed) this.#view ??= this.#openView();
  }

  #openView(): LiveView<Representations> {
    const start = this.#viewStart;
    this.#viewStart = undefined;
    const view = LiveView.open<Representations>(this.#store, {
      prefix: this.prefix,
      clock: this.#clock,
      timers: this.#timers,
      start,
      windowMs: limits.watchWindowMs,
      windowEventsMax: limits.watchWindowEventsMax,
    });
    if (this.#closed) void view.close();
    return view;
  }

  /** Compiles the filters of lists and watches. */
  get filters(): Filters {
    return this.#filters;
  }

  /** What its objects can be looked up by; undefined where indexes are off. */
  get indexes(): ResourceIndexes | undefined {
    return this.#indexes;
  }

  /** Raised with every change of the rules. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Given when the rules change or the resource goes. */
  get changes(): ChangeSignal {
    return this.#changed;
  }

  /** What the keys of its objects begin with. */
  get prefix(): string {
    return this.#rules.prefix ?? keyPrefixOf(this.type);
  }

  /** The key of an object, or the prefix of a namespace where the name is empty. */
  key(namespace: string, name: string): string {
    return this.type.namespaced && namespace !== ''
      ? `${this.prefix}${namespace}/${name}`
      : `${this.prefix}${name}`;
  }

  /** Remembers what is known of the bytes that were just stored at a revision. */
  recordWrite(revision: number, record: WriteRecord): void {
    this.#writeRecords.set(revision, record);
    if (this.#writeRecords.size <= rememberedWritesMax) return;
    const [oldest] = this.#writeRecords.keys();
    if (oldest !== undefined) this.#writeRecords.delete(oldest);
  }

  /** What is known of the bytes stored at a revision, if they are known to have the shape of a version. */
  writeRecordOf(revision: number, version: ResourceVersion): WriteRecord | undefined {
    const record = this.#writeRecords.get(revision) ?? this.#forkedWriteRecords.get(revision);
    return record?.version === version ? record : undefined;
  }

  /** Takes new rules that serve the same objects in the same way; watches go on. */
  amend(rules: ResourceRules): void {
    this.#rules = rules;
  }

  /** Takes new rules for the requests that come; the watches under way end cleanly. */
  swap(rules: ResourceRules): void {
    this.#rules.converter.webhook?.retire();
    this.#rules = rules;
    this.#epoch += 1;
    if (this.#indexes !== undefined) this.#indexes = new ResourceIndexes(this.prefix);
    this.#view?.dropIndexes();
    this.#changed.give();
    this.#changed = new ChangeSignal();
  }

  /** Ends the watches and refuses to take new objects, because the resource goes; reads under way are still answered. */
  retire(): void {
    this.#rules = { ...this.#rules, type: Object.freeze({ ...this.type, terminating: true }) };
    this.#changed.give();
  }

  /** Lets go of the view and ends the watches. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#changed.give();
    this.#rules.converter.webhook?.close();
    await this.#view?.close();
    this.#view = undefined;
    this.#viewStart = undefined;
  }
}
