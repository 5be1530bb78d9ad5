import type { Revision } from '../../storage/index.ts';
import type { ViewEntry } from './view-entry.ts';

export type ViewEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/**
 * One event of a change. All watchers for which the change means the same get the same object, so `frames` is shared
 * among them.
 */
export class ViewEvent<M> {
  readonly type: ViewEventType;
  /** The revision of the change: the resourceVersion of the event's object. */
  readonly revision: Revision;
  /** The new content; for DELETED, the last content that the watcher could see. */
  readonly entry: ViewEntry<M>;
  /** The old content of a MODIFIED event. */
  readonly previous: ViewEntry<M> | undefined;
  #frames: Map<string, Uint8Array> | undefined;

  constructor(type: ViewEventType, revision: Revision, entry: ViewEntry<M>, previous?: ViewEntry<M>) {
    this.type = type;
    this.revision = revision;
    this.entry = entry;
    this.previous = previous;
  }

  /** The encoded event by names that the layer above defines (`v1/json`). May be cleared at any time. */
  get frames(): Map<string, Uint8Array> {
    this.#frames ??= new Map();
    return this.#frames;
  }

  /** Releases the encoded bytes to the GC; readers that still need them encode again. */
  dropFrames(): void {
    this.#frames = undefined;
  }
}
