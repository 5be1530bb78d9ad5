import type { Revision } from '../../storage/index.ts';
import type { ViewEntry } from './view-entry.ts';
import { ViewEvent, type ViewEventType } from './view-event.ts';

/** Whether an entry matches the selection of a watcher. */
export type Matches<M> = (entry: ViewEntry<M>) => boolean;

/** The meaning of a change for a watcher that selected the new content, or the old one; see {@link Change.eventFor}. */
export function meaningOf(is: boolean, was: boolean): ViewEventType | undefined {
  if (is) return was ? 'MODIFIED' : 'ADDED';
  return was ? 'DELETED' : undefined;
}

interface ChangeParts<M> {
  readonly revision: Revision;
  readonly entry: ViewEntry<M> | undefined;
  readonly previous: ViewEntry<M> | undefined;
  readonly atMs: number;
}

/** One change of one key in the event window: it holds references only, no bytes. */
export class Change<M> {
  readonly key: string;
  readonly revision: Revision;
  /** The new content; undefined for a deletion. */
  readonly entry: ViewEntry<M> | undefined;
  /** The previous entry; undefined for a creation. */
  readonly previous: ViewEntry<M> | undefined;
  /** When the view applied it. */
  readonly atMs: number;
  #events: ViewEvent<M>[] | undefined;

  constructor(key: string, parts: ChangeParts<M>) {
    this.key = key;
    this.revision = parts.revision;
    this.entry = parts.entry;
    this.previous = parts.previous;
    this.atMs = parts.atMs;
    this.#events = undefined;
  }

  /**
   * The event for a watcher of the matching entries: ADDED if the entry starts to match, DELETED with the old content
   * if it stops to match, MODIFIED if it still matches, undefined if it never did.
   *
   * Example: for a watch of `color=blue`, a change from blue to green is DELETED with the blue object at the revision
   * of the green one. Source: convertToWatchEvent in k8s.io/apiserver, pkg/storage/cacher.
   */
  eventFor(matches: Matches<M> | undefined): ViewEvent<M> | undefined {
    const { entry, previous } = this;
    const is = entry !== undefined && (matches?.(entry) ?? true);
    const was = previous !== undefined && (matches?.(previous) ?? true);
    const meaning = meaningOf(is, was);
    const content = is ? entry : previous;
    if (meaning === undefined || content === undefined) return undefined;
    return this.#event(meaning, content, meaning === 'MODIFIED' ? previous : undefined);
  }

  /** Drops the shared events, and the bytes encoded for them. */
  dropEvents(): void {
    for (const event of this.#events ?? []) event.dropFrames();
    this.#events = undefined;
  }

  #event(type: ViewEventType, entry: ViewEntry<M>, previous?: ViewEntry<M>): ViewEvent<M> {
    this.#events ??= [];
    const known = this.#events.find((event) => event.type === type);
    if (known !== undefined) return known;
    const event = new ViewEvent(type, this.revision, entry, previous);
    this.#events.push(event);
    return event;
  }
}
