import type { InProcessFetch } from '../http/index.ts';
import type { ServerOptions } from './options.ts';

/** What a fork has otherwise than its parent. CRDs and objects come on top of what is there. */
export type ForkOptions = Omit<
  ServerOptions,
  'storage' | 'featureGates' | 'openapi' | 'serviceClusterIpRange' | 'kubernetesService'
>;

/** A server as it was at a moment; holds memory, and nothing that must be closed. */
export interface ServerSnapshot {
  /** A server of its own that goes on from there. */
  fork(options?: ForkOptions): Promise<IlkServer>;
}

/** The way of one user to a server. */
export interface UserAccess {
  /** Calls the server as this user, without a socket. */
  readonly fetch: InProcessFetch;
  /** A kubeconfig with a bearer token; empty where no port was opened. */
  readonly kubeconfig: string;
}

/** A user of a server, with credentials of its own. */
export interface AddedUser extends UserAccess {
  /** The kubeconfig in a file; removed when the user is, or the server closes. */
  readonly kubeconfigPath: string;
  /** From now on the credentials are refused, and the watches of the user end. */
  remove(): void;
}

/** A server that runs. */
export interface IlkServer extends AsyncDisposable {
  /** `https://127.0.0.1:6443`; empty where no port was opened. */
  readonly url: string;
  /** For clients of the group system:masters. */
  readonly kubeconfig: string;
  /** The same in a file of its own, written when it is first asked for; removed by `close`. */
  readonly kubeconfigPath: string;
  /** The authority that signed the server's certificate; undefined for plain HTTP. */
  readonly caPem: string | undefined;
  /** Calls the server as an administrator, without a socket. */
  readonly fetch: InProcessFetch;
  /**
   * A link that opens the web console as an administrator, for one use within ten minutes; undefined where the console is
   * off, or no port was opened.
   */
  consoleLink(): string | undefined;
  /**
   * Another user; the groups decide what it may do, and `system:authenticated` is added. Or whoever a bearer token stands
   * for: a service account, say.
   */
  as(
    user: { readonly name: string; readonly groups?: readonly string[] } | { readonly token: string },
  ): UserAccess;
  /**
   * A user with a kubeconfig of its own, as envtest's `AddUser`: with a client certificate for a day where the server has
   * an authority, else with a token. `system:authenticated` is added to the groups.
   */
  addUser(user: { readonly name: string; readonly groups?: readonly string[] }): Promise<AddedUser>;
  /**
   * The server as it is now. What is in memory is shared until somebody writes to it, so this takes no time; what is
   * in a database is copied into memory.
   */
  snapshot(): Promise<ServerSnapshot>;
  /**
   * A server of its own that goes on from here in memory, with a port of its own: neither sees what the other one is
   * told from now on, and each is closed by itself. Resource versions go on from this server's, and clients find the
   * past that it had.
   */
  fork(options?: ForkOptions): Promise<IlkServer>;
  /** Ends watches, finishes what is under way, and lets go of port and storage. */
  close(): Promise<void>;
}
