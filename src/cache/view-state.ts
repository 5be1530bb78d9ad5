import type { Clock } from '../meta/index.ts';
import type { Revision, StoredRecord, StoreEvent, WatchMessage } from '../storage/index.ts';
import { Change } from './change.ts';
import { EntryTree } from './entry-tree.ts';
import { EventWindow, type EventWindowOptions } from './event-window.ts';
import { entryOf } from './history.ts';
import { PastStates } from './past-states.ts';
import { Snapshot } from './snapshot.ts';
import { ViewEntry } from './view-entry.ts';
import { ViewError } from './view-error.ts';

/** What the view holds: the current entries, the window of changes that led there, and the states in between. */
export class ViewState<M> {
  readonly window: EventWindow<M>;
  readonly #clock: Clock;
  readonly #past: PastStates<M>;
  #tree = new EntryTree<M>();
  #revision: Revision = 0;
  /** The current state where somebody asked for it since the last change. */
  #snapshot: Snapshot<M> | undefined;

  constructor(clock: Clock, options: EventWindowOptions) {
    this.#clock = clock;
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
    this.#tree = snapshot.fork();
    this.#moveTo(snapshot.revision);
    this.window.reset(snapshot.revision);
  }

  /** Starts anew from a list. Entries that did not change stay the same objects, so what hangs on them is kept. */
  load(records: readonly StoredRecord[], revision: Revision): void {
    const tree = new EntryTree<M>();
    for (const record of records) {
      const known = this.#tree.get(record.key);
      tree.put(known?.modRevision === record.modRevision ? known : entryOf(record));
    }
    this.#tree = tree;
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
      this.window.push(change);
      changes += 1;
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
    this.#snapshot ??= new Snapshot(this.#revision, this.#tree.clone());
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
