import type { Faults } from '../faults/index.ts';
import type { IlkServer as ComposedServer } from '../server.ts';
import type { ForkOptions } from './server-options.ts';

/** A server in this process. */
export interface IlkServer extends Omit<ComposedServer, 'fork' | 'snapshot'> {
  /** Fault injection for requests over the network or through `fetch`. */
  readonly faults: Faults;
  /**
   * Starts a separate server from the current state, in memory, with a port of its own. Later changes of one are not
   * visible in the other, and each is closed separately. Resource versions continue from this server's, and clients
   * find the events it had. A fork starts without faults.
   *
   * @throws {OptionError} for an option that a fork does not have
   */
  fork(options?: ForkOptions): Promise<IlkServer>;
  /**
   * Takes a snapshot. State in memory is shared and copied on write, so this takes no time; the contents of a
   * database are copied into memory.
   */
  snapshot(): Promise<ServerSnapshot>;
}

/** A snapshot of a server; it holds memory, and nothing that must be closed. */
export interface ServerSnapshot {
  /** Starts a separate server from the snapshot. */
  fork(options?: ForkOptions): Promise<IlkServer>;
}
