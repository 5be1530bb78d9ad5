import type { InProcessFetch } from '../http/index.ts';
import type { ServerOptions } from './options.ts';

/** The options of a fork that differ from its parent. CRDs and objects are added to the existing ones. */
export type ForkOptions = Omit<
  ServerOptions,
  'storage' | 'featureGates' | 'openapi' | 'serviceClusterIpRange' | 'kubernetesService'
>;

/** A snapshot of a server; it holds memory, and nothing that must be closed. */
export interface ServerSnapshot {
  /** Starts a separate server from the snapshot. */
  fork(options?: ForkOptions): Promise<IlkServer>;
}

/** The access of one user to a server. */
export interface UserAccess {
  /** Calls the server as this user, without a network connection. */
  readonly fetch: InProcessFetch;
  /** A kubeconfig with a bearer token; empty if no port is open. */
  readonly kubeconfig: string;
}

/** A user of a server, with its own credentials. */
export interface AddedUser extends UserAccess {
  /** The path of a kubeconfig file; it is removed with the user, or when the server closes. */
  readonly kubeconfigPath: string;
  /** Revokes the credentials, and ends the user's watches. */
  remove(): void;
}

/** A running server. */
export interface IlkServer extends AsyncDisposable {
  /** `https://127.0.0.1:6443`; empty if no port is open. */
  readonly url: string;
  /** A kubeconfig for the group system:masters. */
  readonly kubeconfig: string;
  /** The path of a file with that kubeconfig, written on first use and removed by `close`. */
  readonly kubeconfigPath: string;
  /** The authority that signed the server's certificate; undefined for plain HTTP. */
  readonly caPem: string | undefined;
  /** Calls the server as an administrator, without a network connection. */
  readonly fetch: InProcessFetch;
  /**
   * Returns a link that opens the web console as an administrator, once and within ten minutes; undefined if the
   * console is off or no port is open.
   */
  consoleLink(): string | undefined;
  /**
   * Returns the access of another user; its groups decide its permissions, and `system:authenticated` is added. Or
   * that of a bearer token, for example a service account's.
   */
  as(
    user: { readonly name: string; readonly groups?: readonly string[] } | { readonly token: string },
  ): UserAccess;
  /**
   * Creates a user with a kubeconfig of its own, like envtest's `AddUser`: with a client certificate for a day if the
   * server has an authority, otherwise with a token. `system:authenticated` is added to the groups.
   */
  addUser(user: { readonly name: string; readonly groups?: readonly string[] }): Promise<AddedUser>;
  /**
   * Takes a snapshot. State in memory is shared and copied on write, so this takes no time; the contents of a
   * database are copied into memory.
   */
  snapshot(): Promise<ServerSnapshot>;
  /**
   * Starts a separate server from the current state, in memory, with a port of its own. Later changes of one are not
   * visible in the other, and each is closed separately. Resource versions continue from this server's, and clients
   * find the events it had.
   */
  fork(options?: ForkOptions): Promise<IlkServer>;
  /** Ends watches, finishes requests in progress, and closes port and storage. */
  close(): Promise<void>;
}
