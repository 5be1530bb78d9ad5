import type { Revision } from '../../storage/index.ts';
import type { ViewEntry } from './view-entry.ts';

export type ViewEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/**
 * What one change means to a watcher. All watchers to whom a change means the same are given the same object, so what
 * one of them puts into `frames` serves the others.
 */
export class ViewEvent<M> {
  readonly type: ViewEventType;
  /** The revision of the change: what the event's object carries as resourceVersion. */
  readonly revision: Revision;
  /** The new content; for DELETED the last content that the watcher could see, which is the old one. */
  readonly entry: ViewEntry<M>;
  /** What a MODIFIED event replaced. */
  readonly previous: ViewEntry<M> | undefined;
  #frames: Map<string, Uint8Array> | undefined;

  constructor(type: ViewEventType, revision: Revision, entry: ViewEntry<M>, previous?: ViewEntry<M>) {
    this.type = type;
    this.revision = revision;
    this.entry = entry;
    this.previous = previous;
  }

  /** The encoded event under names that the layer above chooses (`v1/json`). May be emptied at any time. */
  get frames(): Map<string, Uint8Array> {
    this.#frames ??= new Map();
    return this.#frames;
  }

  /** Releases the encoded bytes to the GC; readers that still need them encode again. */
  dropFrames(): void {
    this.#frames = undefined;
  }
}
