/**
 * The composition root: puts the modules together.
 */
import { channel } from 'node:diagnostics_channel';
import { DecodeError } from './codec/index.ts';
import { type ElectionTiming, installCrds, seedObjects } from './controllers/index.ts';
import { ConnectionCounts, type Handler, inProcessFetch, systemAnswerBuffers } from './http/index.ts';
import { type KubeObject, systemClock, systemTimers, type UserInfo } from './meta/index.ts';
import { OpenApiDocumentError } from './kinds/index.ts';
import type { Registry } from './registry/index.ts';
import { type AuthorizationMode, authorizationModes } from './server/access-control.ts';
import { type ReloadedConfiguration, ReloadMetrics } from './server/reload-metrics.ts';
import {
  type ServerListener,
  defaultListen,
  type ListenAddress,
  openListener,
  settleAddress,
} from './server/listener.ts';
import type { AddedUser, ForkOptions, IlkServer, ServerSnapshot, UserAccess } from './server/ilk-server.ts';
import { KubeconfigFile } from './server/kubeconfig-file.ts';
import { audiencesOf, type ServiceAccountOptions } from './server/service-accounts.ts';
import { type NumberRule, numberRules } from './server/number-rules.ts';
import type { CommonOptions, ReplaceModes, ServerOptions } from './server/options.ts';
import { makeHandler } from './server/request-handler.ts';
import { makeConsole } from './server/run-console.ts';
import { type RunningParts, startParts, type StartState, stopParts } from './server/running-parts.ts';
import { isFirstThread, threadShare } from './server/threads/thread-share.ts';
import { UserClients } from './server/user-access.ts';
import { Users } from './server/users.ts';
import {
  copyToMemory,
  type EtcdStorageOptions,
  type ForkableStore,
  type StorageOptions,
  StoreError,
} from './storage/index.ts';
import { onlyOurs, type OpenStorage, openStorage } from './server/open-storage.ts';

export { audiencesOf, authorizationModes, defaultListen, numberRules, OpenApiDocumentError, ReloadMetrics };
export { FirstThread } from './server/threads/first-thread.ts';
export { FurtherThread } from './server/threads/further-thread.ts';
export { requireReusePort } from './server/threads/require-reuse-port.ts';
export { ThreadAuditBackend } from './server/threads/thread-audit.ts';
export type { ThreadData } from './server/threads/thread-data.ts';
export { parseStages, type Stage } from './controllers/index.ts';
export type {
  AddedUser,
  CommonOptions,
  NumberRule,
  ReloadedConfiguration,
  ReplaceModes,
  ServiceAccountOptions,
  AuthorizationMode,
  ElectionTiming,
  EtcdStorageOptions,
  ForkOptions,
  IlkServer,
  ListenAddress,
  ServerOptions,
  ServerSnapshot,
  StorageOptions,
  UserAccess,
};

/** Who calls from inside the process. */
const admin: UserInfo = Object.freeze({ name: 'ilk-admin', groups: ['system:masters'] });

const crdsEstablishedMsMax = 30_000;

/**
 * Starts a server in this process.
 *
 * ```ts
 * await using server = await startServer({ crds: [widgetCrd] });
 * const answer = await server.fetch('/apis/example.com/v1/widgets');
 * ```
 *
 * @throws {ServiceMapError} for services that are not of that form
 * @throws {StoreError} `refused` for a data folder that cannot be used
 * @throws {AddressRangeError} for a range of services that is none
 * @throws {OpenApiDocumentError} for a document that no kinds can be read from
 * @throws {StatusError} for a CRD or an object that is refused
 */
export async function startServer(options: ServerOptions = {}): Promise<IlkServer> {
  return (await startServerInside(options)).server;
}

/**
 * A server, and what is behind its requests.
 *
 * @internal
 */
export interface ServerInside {
  readonly server: IlkServer;
  readonly registry: Registry;
  /** Who calls from inside the process. */
  readonly user: UserInfo;
}

/**
 * As {@link startServer}, for the commands of this package that ask thousands of times and need no request for it.
 *
 * @throws as {@link startServer} does
 * @internal
 */
export async function startServerInside(options: ServerOptions = {}): Promise<ServerInside> {
  const { storage = { kind: 'memory' }, clock = systemClock, onTrouble = () => {} } = options;
  const open = () => openStorage(storage, { clock, onTrouble });
  return startOrClose(await (options.threads?.openStorage(open) ?? open()), options);
}

async function startOrClose(
  storage: OpenStorage,
  options: ServerOptions,
  start?: StartState,
): Promise<ServerInside> {
  const starting = startOn(storage, options, start);
  const damaged = storage.damaged.then((error) => Promise.reject(error));
  try {
    return await Promise.race([starting, damaged]);
  } catch (error) {
    await storage.store.close();
    // What waits for the store ends with it.
    await starting.catch(() => {});
    throw withPlace(error, storage);
  } finally {
    damaged.catch(() => {});
  }
}

/** Clients see this text: it does not name the path of a full storage, or the key of an unreadable value. */
function withPlace(error: unknown, { place }: OpenStorage): unknown {
  if (error instanceof DecodeError && place !== '') {
    const text = `${place} is damaged, restore a backup: a stored object cannot be read: ${error.message}`;
    return new StoreError('damaged', text, { cause: error });
  }
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof StoreError) || cause.code !== 'no-space') return error;
  return new StoreError('no-space', `${place}: ${cause.message}`, { cause });
}

async function startOn(
  storage: OpenStorage,
  options: ServerOptions,
  start?: StartState,
): Promise<ServerInside> {
  const onTrouble = options.onTrouble ?? (() => {});
  const listen = await settleAddress(options.listen ?? defaultListen);
  const authority = listen === false || listen.tls === false ? undefined : listen.tls.ca;
  const inside = await startParts(storage, { options, onTrouble, start, authority });
  const users = new Users();
  const address = { text: '', url: '' };
  const console = await makeConsole(options, address);
  const connections = new ConnectionCounts();
  const buffers = systemAnswerBuffers(systemTimers, options.threads?.count);
  const handler = makeHandler(inside, options, { users, address, console, connections, buffers, onTrouble });
  try {
    if (isFirstThread(options)) await seed(inside, options);
    const listener = await openListener(listen, {
      handler,
      token: users.add(admin).token,
      counts: connections,
      buffers,
      slices: inside.slices,
      ...(options.threads && threadShare(options.threads)),
      onError: onTrouble,
      log: onTrouble,
    });
    address.url = listener.url;
    address.text = listener.url.replace(/^https?:\/\//, '');
    const user = users.add(admin).user;
    const consoleLink = () => (listener.url === '' ? undefined : console?.linkFor(user));
    const server = makeServer({ inside, handler, listener, users, options, consoleLink });
    channel('ilk.ready').publish({});
    return { server, registry: inside.registry, user };
  } catch (error) {
    await stopParts(inside, options.threads?.closeOthers());
    throw error;
  }
}

/** CRDs, then the objects that may need them. */
async function seed({ registry, storage, stop }: RunningParts, options: ServerOptions): Promise<void> {
  const { crds = [], objects = [], clock = systemClock } = options;
  const { signal } = stop;
  const isCrd = ({ kind }: KubeObject) => kind === 'CustomResourceDefinition';
  const allCrds = [...crds, ...objects.filter(isCrd)];
  const install = { signal, timeoutMs: crdsEstablishedMsMax, clock, alone: !storage.shared };
  if (allCrds.length > 0) await installCrds(registry, allCrds, install);
  const others = objects.filter((object) => !isCrd(object));
  await seedObjects(registry, others, signal);
}

interface ServerParts {
  readonly inside: RunningParts;
  readonly handler: Handler;
  readonly listener: ServerListener;
  readonly users: Users;
  readonly options: ServerOptions;
  readonly consoleLink: IlkServer['consoleLink'];
}

function makeServer({ inside, handler, listener, users, options, consoleLink }: ServerParts): IlkServer {
  const file = new KubeconfigFile(listener.kubeconfig);
  const userClients = new UserClients({ handler, listener, users });
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    const closed = listener.listening?.close();
    const othersClosed = options.threads?.closeOthers();
    await stopParts(inside, othersClosed);
    await closed;
    await options.auditor?.close();
    file.remove();
    userClients.close();
  };
  const close = () => (closing ??= closeAll());
  // Forks write their own audit log, or none; they are in memory, where nothing is encrypted.
  const { auditor: _, encryption: _encryption, threads: _threads, ...shared } = options;
  const inherited = { ...shared, listen: listener.another };
  const snapshot = () => snapshotOf(inside, inherited);
  return {
    url: listener.url,
    kubeconfig: listener.kubeconfig,
    caPem: listener.caPem,
    fetch: inProcessFetch(handler, users.add(admin).user),
    get kubeconfigPath() {
      return file.path;
    },
    consoleLink,
    as: (asked) => userClients.as(asked),
    addUser: (asked) => userClients.add(asked),
    snapshot,
    fork: async (own) => (await snapshot()).fork(own),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A store that can fork is taken in the same turn as what stands on it; a copy of another one starts from nothing. */
async function snapshotOf(inside: RunningParts, inherited: ServerOptions): Promise<ServerSnapshot> {
  const { catalog, controllers, forkable } = inside;
  if (forkable === undefined)
    return snapshotOn(await copyToMemory(inside.storage.store), inherited, undefined);
  const kept = forkable.fork();
  const taken = { catalog: catalog.state(), rests: controllers.rests() };
  catalog.openWritten();
  return snapshotOn(kept, inherited, { ...taken, current: await kept.revision() });
}

/** The kept store is not written to. */
function snapshotOn(
  kept: ForkableStore,
  inherited: ServerOptions,
  start: StartState | undefined,
): ServerSnapshot {
  return {
    fork: async (own = {}) => {
      const options = { ...inherited, crds: [], objects: [], ...own };
      return (await startOrClose(onlyOurs(kept.fork()), options, start)).server;
    },
  };
}
