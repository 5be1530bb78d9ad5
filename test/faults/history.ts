/** What clients did and saw while things broke, and what the storage says happened: the material of the checker. */

/** A change that happened, as the storage tells it. */
export interface Change {
  readonly revision: number;
  readonly name: string;
  /** The value that was written; undefined for a delete. */
  readonly value: number | undefined;
  /** The revision that it replaced; 0 for a create. */
  readonly previous: number;
}

/** One write of a client. Values are numbers that are used once. */
export interface Write {
  readonly name: string;
  readonly kind: 'create' | 'update' | 'delete';
  /** The revision that the client had seen; 0 for a create. */
  readonly base: number;
  /** Undefined for a delete. */
  readonly value: number | undefined;
  readonly startedMs: number;
  readonly endedMs: number;
  /** `ok` was acknowledged, `refused` did not take effect, `unknown` may have. */
  readonly outcome: 'ok' | 'refused' | 'unknown';
  /** The acknowledged revision; deletes have none. */
  readonly revision: number | undefined;
}

/** One read that asked for the latest state, and was answered. */
export interface Read {
  readonly name: string;
  readonly startedMs: number;
  readonly endedMs: number;
  /** 0 where nothing was there. */
  readonly revision: number;
  readonly value: number | undefined;
}

/** A line of a watch. */
export interface Seen {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly revision: number;
  readonly name: string;
  readonly value: number | undefined;
}

/** What one watcher saw from one list on, over as many watches and servers as it took. */
export interface Watching {
  readonly listedAt: number;
  readonly listed: ReadonlyMap<string, { readonly revision: number; readonly value: number | undefined }>;
  readonly seen: readonly Seen[];
  /** True where it went on until the end; false where its past was forgotten and it listed again. */
  readonly toTheEnd: boolean;
}

export interface History {
  readonly writes: readonly Write[];
  readonly reads: readonly Read[];
  readonly watchings: readonly Watching[];
  /** In the order of revisions. */
  readonly changes: readonly Change[];
}
