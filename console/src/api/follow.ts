import { ApiError, isAborted, type Status } from './api-error.ts';
import { linesOf } from './lines.ts';
import { send } from './request.ts';

/** Whether the displayed data is current. */
export type Liveness =
  | { readonly state: 'loading' }
  | { readonly state: 'live' }
  /** The connection is lost and is being retried; the data is as of then. */
  | { readonly state: 'reconnecting'; readonly error: unknown }
  /** Signed out: continues after the next sign-in. */
  | { readonly state: 'signed-out' }
  /** The server refuses it permanently. */
  | { readonly state: 'refused'; readonly error: unknown };

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
}

interface Followed<T> {
  /** Path and query of the watch, without resourceVersion. */
  readonly path: string;
  readonly accept?: string;
  /** Lists everything again. @returns the resourceVersion to watch from */
  readonly list: (signal: AbortSignal) => Promise<string>;
  /** A batch of events. */
  readonly onEvents: (events: readonly WatchEvent<T>[]) => void;
  readonly onLiveness: (liveness: Liveness) => void;
  /** The resourceVersion of an event's object. */
  readonly revisionOf: (object: T) => string | undefined;
  /** Reads a line; `JSON.parse` by default. */
  readonly parse?: (line: string) => unknown;
  /** Waits until a user is signed in again. */
  readonly signedIn: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

const firstDelayMs = 500;
const delayMsMax = 10_000;
/** Events within this time are handled as one batch. */
const gatherMs = 50;

/**
 * Lists, then watches from there. A watch that ends or fails continues from the last resourceVersion; after 410,
 * everything is listed again.
 */
export async function follow<T>(followed: Followed<T>): Promise<void> {
  const { signal, onLiveness, signedIn } = followed;
  const place = { revision: undefined as string | undefined, delayMs: firstDelayMs };
  onLiveness({ state: 'loading' });
  while (!signal.aborted) {
    try {
      place.revision ??= await followed.list(signal);
      await watchFrom(followed, place);
    } catch (error) {
      if (signal.aborted || isAborted(error)) return;
      if (error instanceof ApiError && error.code === 410) {
        place.revision = undefined;
      } else if (error instanceof ApiError && error.code === 401) {
        onLiveness({ state: 'signed-out' });
        await signedIn(signal);
      } else if (error instanceof ApiError && error.code < 500 && error.code !== 429) {
        onLiveness({ state: 'refused', error });
        return;
      } else {
        onLiveness({ state: 'reconnecting', error });
      }
    }
    await pause(place.delayMs, signal);
    place.delayMs = Math.min(place.delayMs * 2, delayMsMax);
  }
}

interface Place {
  revision: string | undefined;
  delayMs: number;
}

async function watchFrom<T>(followed: Followed<T>, place: Place): Promise<void> {
  const { path, accept = 'application/json', signal, onLiveness, onEvents } = followed;
  const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${encodeURIComponent(place.revision ?? '')}`;
  const response = await send(`${path}${path.includes('?') ? '&' : '?'}${query}`, { accept, signal });
  onLiveness({ state: 'live' });
  place.delayMs = firstDelayMs;
  const gathered = new Gathered(onEvents);
  try {
    for await (const line of linesOf(response)) read(line, { followed, place, gathered });
  } finally {
    gathered.flush();
  }
}

interface Reading<T> {
  readonly followed: Followed<T>;
  readonly place: Place;
  readonly gathered: Gathered<T>;
}

/** @throws {ApiError} for an ERROR event */
function read<T>(line: string, { followed, place, gathered }: Reading<T>): void {
  const { parse = JSON.parse } = followed;
  const { type, object } = parse(line) as { type: string; object: T };
  if (type === 'ERROR') {
    const status = object as Status;
    throw new ApiError(status.code ?? 500, status);
  }
  place.revision = followed.revisionOf(object) ?? place.revision;
  if (type !== 'BOOKMARK') gathered.add({ type: type as WatchEvent<T>['type'], object });
}

/** Batches events: a page that rendered for each of a thousand events would freeze. */
class Gathered<T> {
  readonly #onEvents: (events: readonly WatchEvent<T>[]) => void;
  #waiting: WatchEvent<T>[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onEvents: (events: readonly WatchEvent<T>[]) => void) {
    this.#onEvents = onEvents;
  }

  add(event: WatchEvent<T>): void {
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => this.flush(), gatherMs);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length > 0) this.#onEvents(this.#waiting);
    this.#waiting = [];
  }
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
