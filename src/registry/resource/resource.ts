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
import { StoredLists } from './stored-lists.ts';

/** The behaviour of a resource's objects besides storage. */
export interface ResourceRules {
  readonly type: ResourceType;
  readonly strategy: Strategy;
  readonly converter: ResourceConverter;
  readonly fields: FieldManagement;
  /** The storage location of its objects, if it differs from the resource's own. */
  readonly prefix?: string;
}

/** A snapshot of a resource: enough for a fork of the store to serve it without loading or compiling. */
export interface ResourceState {
  readonly rules: ResourceRules;
  /** Undefined if its objects have not been read yet. */
  readonly view: Snapshot<Representations> | undefined;
  readonly writeRecords: ReadonlyMap<number, WriteRecord>;
  /** The indexes: shared by both sides, so that neither builds them again. */
  readonly indexes: ResourceIndexes | undefined;
}

/** The inputs of a resource. */
export interface ResourceParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers?: Timers;
  /** The state of the parent resource, and the revision at which the store was forked. */
  readonly from?: { readonly state: ResourceState; readonly current: number } | undefined;
  readonly selectors: SelectorOptions;
  readonly filters: Filters;
  /** Shared by all resources of a store; a separate one by default. */
  readonly recent?: RecentObjects;
}

/** Long enough for a write to reach the view; forgotten facts are recomputed from the bytes. */
const rememberedWritesMax = 1_000;

/**
 * A served resource: its current rules and the live view of its objects. The view stays when the rules change;
 * watches end then, so that clients see the new schema.
 */
export class Resource implements RepresentedResource {
  /** Facts about this store's writes, by revision. */
  readonly recent: RecentObjects;
  /** Locks the keys of objects that many writers contend for. */
  readonly keyLock = new KeyLock();
  /** Reads whole ranges from the storage. */
  readonly storedLists: StoredLists;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #filters: Filters;
  #rules: ResourceRules;
  #view: LiveView<Representations> | undefined;
  #epoch = 0;
  /** Facts about writes before a fork: shared by both sides, and not changed. */
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
    this.storedLists = new StoredLists(store);
    this.#clock = clock;
    this.#timers = timers;
    this.#filters = filters;
    this.#forkedWriteRecords = from?.state.writeRecords ?? new Map();
    if (from?.state.view !== undefined) {
      this.#viewStart = { snapshot: from.state.view, current: from.current };
    }
    if (selectors.indexes) this.#indexes = from?.state.indexes ?? new ResourceIndexes(this.prefix);
  }

  /** A snapshot; its cost does not depend on the number of objects. */
  state(): ResourceState {
    if (this.#writeRecords.size > 0) {
      const all = [...this.#forkedWriteRecords, ...this.#writeRecords];
      this.#forkedWriteRecords = new Map(all.slice(-rememberedWritesMax));
      this.#writeRecords = new Map();
    }
    const [rules, view, writeRecords] = [this.#rules, this.#viewState(), this.#forkedWriteRecords];
    return { rules, view, writeRecords, indexes: this.#indexes };
  }

  /** A view that was not opened yet still has its initial state. */
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

  /** Its name in error messages: `widgets.example.com`. */
  get groupResource(): GroupResource {
    return { group: this.type.group, resource: this.type.resource };
  }

  /** The size of each index; empty if the objects have not been read yet. */
  indexSizes(): ReturnType<LiveView<Representations>['indexSizes']> {
    return this.#view?.indexSizes() ?? [];
  }

  /**
   * Opened on first use: CRDs that are never read use no memory. After the resource is closed, the view no longer
   * changes.
   */
  get view(): LiveView<Representations> {
    this.#view ??= this.#openView();
    return this.#view;
  }

  /** Opens the view after writes: a fork reads it, and shares an open view. */
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

  /** The indexes of its objects; undefined if indexes are off. */
  get indexes(): ResourceIndexes | undefined {
    return this.#indexes;
  }

  /** Increases with every change of the rules. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Aborted when the rules change or the resource is removed. */
  get changes(): ChangeSignal {
    return this.#changed;
  }

  /** The prefix of its objects' keys. */
  get prefix(): string {
    return this.#rules.prefix ?? keyPrefixOf(this.type);
  }

  /** The key of an object, or the prefix of a namespace if the name is empty. */
  key(namespace: string, name: string): string {
    return this.type.namespaced && namespace !== ''
      ? `${this.prefix}${namespace}/${name}`
      : `${this.prefix}${name}`;
  }

  /** Records facts about the bytes stored at a revision. */
  recordWrite(revision: number, record: WriteRecord): void {
    this.#writeRecords.set(revision, record);
    if (this.#writeRecords.size <= rememberedWritesMax) return;
    const [oldest] = this.#writeRecords.keys();
    if (oldest !== undefined) this.#writeRecords.delete(oldest);
  }

  /** The recorded facts about the bytes stored at a revision, if they are normalized for a version. */
  writeRecordOf(revision: number, version: ResourceVersion): WriteRecord | undefined {
    const record = this.#writeRecords.get(revision) ?? this.#forkedWriteRecords.get(revision);
    return record?.version === version ? record : undefined;
  }

  /** Replaces the rules by ones with the same effect on served objects; watches continue. */
  amend(rules: ResourceRules): void {
    this.#rules = rules;
  }

  /** Replaces the rules for new requests; current watches end cleanly. */
  swap(rules: ResourceRules): void {
    this.#rules.converter.webhook?.retire();
    this.#rules = rules;
    this.#epoch += 1;
    if (this.#indexes !== undefined) this.#indexes = new ResourceIndexes(this.prefix);
    this.#view?.dropIndexes();
    this.#changed.give();
    this.#changed = new ChangeSignal();
  }

  /**
   * Ends the watches and refuses new objects, because the resource is being removed; reads in progress are still
   * answered.
   */
  retire(): void {
    this.#rules = { ...this.#rules, type: Object.freeze({ ...this.type, terminating: true }) };
    this.#changed.give();
  }

  /** Closes the view and ends the watches. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#changed.give();
    this.#rules.converter.webhook?.close();
    await this.#view?.close();
    this.#view = undefined;
    this.#viewStart = undefined;
  }
}
