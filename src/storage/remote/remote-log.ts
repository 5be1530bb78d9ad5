import type { KeyRange, Revision, WatchMessage } from '../store.ts';

/** Which changes a stream is to deliver. */
export interface StreamOptions {
  /** Undefined for every key of the store. */
  readonly range: KeyRange | undefined;
  /** Changes after this revision are delivered. */
  readonly after: Revision;
  readonly signal: AbortSignal;
}

/** A stream of changes from another process, until the connection breaks. */
export interface RemoteStream {
  /** Whether a message without events can be believed about how far the stream has seen. */
  readonly tellsTrueProgress: boolean;
  /** Requests a progress message. There may be no answer while the stream is behind. */
  requestProgress(): void;
  /**
   * The messages, in the order of revisions, for a reader that may be slow.
   *
   * @throws {StoreError} `compacted` where changes are missing; another one where the stream breaks
   */
  messages(): AsyncGenerator<WatchMessage, undefined, undefined>;
  /** Passes messages on immediately, for a reader that never lags. Rejects, as {@link messages} throws. */
  follow(take: (message: WatchMessage) => void): Promise<never>;
  cancel(): void;
}

/** How long the watches of a remote log wait. */
interface RemoteTiming {
  /** The wait after the first failure in a row; it doubles. */
  readonly retryMsMin: number;
  readonly retryMsMax: number;
  /** With several servers of the database: how long an awaited stream may be silent. It doubles. */
  readonly stallMsMax: number;
  /** How often progress is requested, also as a keep-alive. */
  readonly progressMs: number;
  /** A stream that is silent for this long is reopened. */
  readonly silenceMsMax: number;
}

/** A log of changes in another process: all that {@link RemoteWatches} asks of a driver. */
export interface RemoteLog {
  readonly timing: RemoteTiming;
  /** Whether another server of the database could be asked instead. */
  readonly several: boolean;
  /** The current revision, asked of the database. */
  revision(): Promise<Revision>;
  /** The latest revision of any response of the database. */
  known(): Revision;
  /** @throws {StoreError} where the database does not answer */
  open(options: StreamOptions): Promise<RemoteStream>;
}

/** The events that are kept for watches that begin in the past. */
export interface WindowLimits {
  readonly windowEventsMax: number;
  readonly windowBytesMax: number;
}
