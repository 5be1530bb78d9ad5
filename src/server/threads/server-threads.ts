import type { ConsoleMemory } from '../../console/index.ts';
import type { OpenStorage } from '../open-storage.ts';
import type { SharedRevisions } from './shared-revisions.ts';
import type { Told, Topic } from './thread-calls.ts';
import type { ThreadStates } from './thread-states.ts';

/** What a thread knows, of which the process makes its answers. */
export type ThreadOffers = {
  readonly [T in Topic]: () => Told[T] | Promise<Told[T]>;
};

/** What all threads tell, the first thread first. */
export type Gather = <T extends Topic>(topic: T) => Promise<readonly Told[T][]>;

/**
 * The threads of one server, as one of them sees them. The first one owns the storage, runs controllers and creates the
 * objects that every server has; the others only serve requests.
 */
export interface ServerThreads {
  /** 0 for the first thread. */
  readonly index: number;
  readonly count: number;
  readonly states: ThreadStates;
  /** The writes of roles and bindings. */
  readonly roles: SharedRevisions;
  /** The writes of what admission goes by. */
  readonly configurations: SharedRevisions;
  /** Encrypts the TLS session tickets of all threads. */
  readonly ticketKey: Uint8Array;
  /** Opens the storage that all threads use; `open` opens a database, of which each thread is a client. */
  openStorage(open: () => Promise<OpenStorage>): Promise<OpenStorage>;
  /** Registers what this thread knows. */
  offer(offers: ThreadOffers): void;
  readonly gather: Gather;
  /** The sessions and links of the console; `own` makes those of a server with one thread. */
  consoleMemory(own: () => ConsoleMemory): ConsoleMemory;
  /** Stops the other threads, as the server of this one closes; their requests in flight are answered first. */
  closeOthers(): Promise<void>;
}
