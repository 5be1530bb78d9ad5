import type { Clock, Steps } from '../../meta/index.ts';
import type { Revision, StoredRecord, StoreEvent, WatchMessage } from '../../storage/index.ts';
import { Change } from '../entries/change.ts';
import { EntryTree } from '../entries/entry-tree.ts';
import { EventWindow, type EventWindowOptions } from './event-window.ts';
import { IndexSet } from '../index/index-set.ts';
import type { IndexDefinition } from '../index/index-source.ts';
import type { ValueIndex } from '../index/value-index.ts';
import { PastStates } from './past-states.ts';
import { Snapshot } from './snapshot.ts';
import { entryOf, ViewEntry } from '../entries/view-entry.ts';
import { ViewError } from '../view-error.ts';

interface ViewStateOptions extends EventWindowOptions {
  /** The maximum number of undeclared indexes; the least recently used are evicted. */
  readonly undeclaredIndexesMax: number;
}

/** The number of records processed in one step. */
const loadedInStep = 1_024;

/** The state of a view: the current entries, the window of recent changes, and past states. */
export class ViewState<M> {
  readonly window: EventWindow<M>;
  readonly #clock: Clock;
  readonly #past: PastStates<M>;
  readonly #undeclaredIndexesMax: number;
  #indexes = new IndexSet<M>();
  #tree = new EntryTree<M>();
  #revision: Revision = 0;
  /** The snapshot of the current state, if one was taken since the last change. */
  #snapshot: Snapshot<M> | undefined;

  #generation = 0;
  #changes = 0;
  #indexGeneration = 0;

  constructor(clock: Clock, options: ViewStateOptions) {
    this.#clock = clock;
    this.#undeclaredIndexesMax = options.undeclaredIndexesMax;
    this.window = new EventWindow(options);
    this.#past = new PastStates(this.window);
  }

  get revision(): Revision {
    return this.#revision;
  }

  get(key: string): ViewEntry<M> | undefined {
    return this.#tree.get(key);
  }

  /** Starts with the state of another view. Both continue from it; neither sees the other's changes. */
  begin(snapshot: Snapshot<M>): void {
    const { tree, indexes } = snapshot.fork();
    this.#tree = tree;
    this.#indexes = indexes;
    this.#changes += 1;
    this.#moveTo(snapshot.revision);
    this.window.reset(snapshot.revision);
  }

  /** Increases with every change of an entry: data read is valid while it is the same. */
  get changes(): number {
    return this.#changes;
  }

  /** Increases with every list that replaces the state. */
  get generation(): number {
    return this.#generation;
  }

  /** Increases when indexes are dropped: indexes being built then are discarded. */
  get indexGeneration(): number {
    return this.#indexGeneration;
  }

  get size(): number {
    return this.#tree.size;
  }

  hasIndex(definition: IndexDefinition<M>): boolean {
    return this.#indexes.has(definition);
  }

  /** Marks an index as used, so that it is evicted last. */
  touchIndex(definition: IndexDefinition<M>): void {
    this.#indexes.touch(definition);
  }

  /** Adds indexes of the current entries. */
  addIndexes(indexes: readonly ValueIndex<M>[]): void {
    for (const index of indexes) this.#indexes.put(index, this.#undeclaredIndexesMax);
    this.#snapshot = undefined;
  }

  /** The size of each index. */
  indexSizes(): ReturnType<IndexSet<M>['sizes']> {
    return this.#indexes.sizes();
  }

  /** Drops all indexes, and the values that entries keep for them. */
  dropIndexes(): void {
    this.#indexGeneration += 1;
    this.#indexes.clear();
    this.#snapshot = undefined;
    for (const entry of this.#tree.all()) entry.indexed = undefined;
  }

  /**
   * Replaces the state by a list. Unchanged entries stay the same objects, so what is cached on them is kept. In
   * steps; between them, the state does not change.
   */
  *load(records: readonly StoredRecord[], revision: Revision): Steps<void> {
    const tree = new EntryTree<M>();
    for (const [index, record] of records.entries()) {
      if (index % loadedInStep === loadedInStep - 1) yield;
      const known = this.#tree.get(record.key);
      tree.put(known?.modRevision === record.modRevision ? known : entryOf(record));
    }
    this.#tree = tree;
    this.#changes += 1;
    this.#generation += 1;
    this.#indexes.clear();
    this.#moveTo(revision);
    this.window.reset(revision);
    this.#past.reset();
  }

  /** Applies changes, and calls back for each one, in order, after it was applied. */
  apply(message: WatchMessage, changed: (change: Change<M>) => void): void {
    const before = this.#revision;
    const atMs = this.#clock.now();
    let changes = 0;
    for (const event of message.events) {
      const change = event.revision > before ? this.#applyEvent(event, atMs) : undefined;
      if (change === undefined) continue;
      this.#indexes.apply(change);
      this.window.push(change);
      changes += 1;
      this.#changes += 1;
      changed(change);
    }
    if (message.revision > before) this.#moveTo(message.revision);
    if (changes > 0) this.#past.advance(changes, () => this.snapshot());
    this.trim();
  }

  /** Drops what is beyond the window's limits. */
  trim(): void {
    const { start } = this.window;
    this.window.trim(this.#clock.now());
    if (this.window.start !== start) this.#past.trim();
  }

  /** The current state. */
  snapshot(): Snapshot<M> {
    this.#snapshot ??= new Snapshot(this.#revision, this.#tree.clone(), this.#indexes.clone());
    return this.#snapshot;
  }

  /** @throws {ViewError} `expired` before the window's start, `future` beyond the current revision. */
  snapshotAt(revision: Revision): Snapshot<M> {
    const bounds = { requested: revision, oldest: this.window.start, current: this.#revision };
    if (revision > this.#revision) throw new ViewError('future', bounds);
    if (revision < this.window.start) throw new ViewError('expired', bounds);
    return this.#past.at(revision, this.snapshot());
  }

  #applyEvent(event: StoreEvent, atMs: number): Change<M> | undefined {
    const { revision, value } = event;
    const previous = this.#tree.get(event.key);
    // The tree keeps its existing key, so that all writes of an object share one string.
    const key = previous?.key ?? event.key;
    if (value === undefined) {
      if (previous === undefined) return undefined;
      this.#tree.delete(key);
      return new Change<M>(key, { revision, entry: undefined, previous, atMs });
    }
    const entry = new ViewEntry<M>(key, revision, value);
    this.#tree.put(entry);
    return new Change(key, { revision, entry, previous, atMs });
  }

  #moveTo(revision: Revision): void {
    this.#revision = revision;
    this.#snapshot = undefined;
  }
}
