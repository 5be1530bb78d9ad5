import type { MessagePort } from 'node:worker_threads';
import type { StoreShare } from '../../storage/index.ts';

/** What every thread of a server is given: memory that they share, and a key. */
export interface SharedParts {
  readonly count: number;
  readonly states: SharedArrayBuffer;
  readonly roles: SharedArrayBuffer;
  readonly configurations: SharedArrayBuffer;
  readonly ticketKey: Uint8Array;
}

/** What a further thread is given. Its ports are to be transferred. */
export interface ThreadData extends SharedParts {
  readonly index: number;
  /** To the first thread. */
  readonly port: MessagePort;
  /** The store of the first thread, and what it is called; undefined where each thread opens a database. */
  readonly storage: SharedStorage | undefined;
}

interface SharedStorage {
  readonly share: StoreShare;
  readonly name: string;
  readonly place: string;
}
