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
  /** Of the indexes that nobody declared, those not asked for longest go above this number. */
  readonly undeclaredIndexesMax: number;
}

/** So many records are taken in in one step. */
const loadedInStep = 1_024;

/** What the view holds: the current entries, the window of changes that led there, and the states in between. */
export class ViewState<M> {
  readonly window: EventWindow<M>;
  readonly #clock: Clock;
  readonly #past: PastStates<M>;
  readonly #undeclaredIndexesMax: number;
  #indexes = new IndexSet<M>();
  #tree = new EntryTree<M>();
  #revision: Revision = 0;
  /** The current state where somebody asked for it since the last change. */
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

  /** Begins with a state that another view had. Both go on from it; neither sees what the other applies. */
  begin(snapshot: Snapshot<M>): void {
    const { tree, indexes } = snapshot.fork();
    this.#tree = tree;
    this.#indexes = indexes;
    this.#changes += 1;
    this.#moveTo(snapshot.revision);
    this.window.reset(snapshot.revision);
  }

  /** Raised with whatever changes an entry: what was read stays true while it is the same. */
  get changes(): number {
    return this.#changes;
  }

  /** Raised with every list that the state starts anew from. */
  get generation(): number {
    return this.#generation;
  }

  /** Raised when indexes are dropped: what is being built then is not wanted any more. */
  get indexGeneration(): number {
    return this.#indexGeneration;
  }

  get size(): number {
    return this.#tree.size;
  }

  hasIndex(definition: IndexDefinition<M>): boolean {
    return this.#indexes.has(definition);
  }

  /** Marks an index as wanted: the last to go when there are too many. */
  touchIndex(definition: IndexDefinition<M>): void {
    this.#indexes.touch(definition);
  }

  /** Takes in indexes of the current entries. */
  addIndexes(indexes: readonly ValueIndex<M>[]): void {
    for (const index of indexes) this.#indexes.put(index, this.#undeclaredIndexesMax);
    this.#snapshot = undefined;
  }

  /** What each index costs. */
  indexSizes(): ReturnType<IndexSet<M>['sizes']> {
    return this.#indexes.sizes();
  }

  /** Drops all indexes, and what entries keep for them. */
  dropIndexes(): void {
    this.#indexGeneration += 1;
    this.#indexes.clear();
    this.#snapshot = undefined;
    for (const entry of this.#tree.all()) entry.indexed = undefined;
  }

  /**
   * Starts anew from a list. Entries that did not change stay the same objects, so what hangs on them is kept. In steps,
   * between which the state is as it was.
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

  /** Applies what happened next and calls back for every change, in order, after it was applied. */
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

  /** Drops what the window's bounds no longer allow. */
  trim(): void {
    const { start } = this.window;
    this.window.trim(this.#clock.now());
    if (this.window.start !== start) this.#past.trim();
  }

  /** The state as of now. */
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
    // The key that the tree already has is kept, so that there is one string for all writes of an object.
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
