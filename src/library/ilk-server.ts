import type { Faults } from '../faults/index.ts';
import type { IlkServer as ComposedServer } from '../server.ts';
import type { ForkOptions } from './server-options.ts';

/** A server that runs in this process. */
export interface IlkServer extends Omit<ComposedServer, 'fork' | 'snapshot'> {
  /** Things that go wrong on demand with what comes over the wire, or through `fetch`. */
  readonly faults: Faults;
  /**
   * A server of its own that goes on from here in memory, with a port of its own: neither sees what the other one is
   * told from now on, and each is closed by itself. Resource versions go on from this server's, and clients find the
   * past that it had. A fork begins without faults.
   *
   * @throws {OptionError} for an option that a fork does not have
   */
  fork(options?: ForkOptions): Promise<IlkServer>;
  /**
   * The server as it is now. What is in memory is shared until somebody writes to it, so this takes no time; what is
   * in a database is copied into memory.
   */
  snapshot(): Promise<ServerSnapshot>;
}

/** A server as it was at a moment; holds memory, and nothing that must be closed. */
export interface ServerSnapshot {
  /** A server of its own that goes on from there. */
  fork(options?: ForkOptions): Promise<IlkServer>;
}
