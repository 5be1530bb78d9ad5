/**
 * The composition root: puts the modules together.
 */
import {
  type Authenticator,
  AuthenticatorUnion,
  CertificateAuthenticator,
  kubeconfigText,
  unknownTokens,
} from './auth/index.ts';
import { DecodeError } from './codec/index.ts';
import {
  type Controllers,
  type ElectionTiming,
  installCrds,
  type IdleState,
  seedObjects,
} from './controllers/index.ts';
import {
  ConnectionCounts,
  DiscoveryHandler,
  fieldGateMetrics,
  Handler,
  inProcessFetch,
  isServed,
  type MetricSource,
  OpenApiHandler,
  RequestMetrics,
  versionInfo,
} from './http/index.ts';
import {
  defaultFeatureGates,
  defaultSelectorOptions,
  type KubeObject,
  limits,
  minCompatibilityVersion,
  type SelectorOptions,
  type Slices,
  systemClock,
  systemSlices,
  systemTimers,
  type UserInfo,
} from './meta/index.ts';
import { crdKind, OpenApiDocumentError } from './kinds/index.ts';
import {
  type CatalogState,
  GateCounts,
  LiveCatalog,
  Registry,
  type RegistryParts,
} from './registry/index.ts';
import { RuleEnvironments } from './schema/index.ts';
import { AccessControl, type AuthorizationMode, authorizationModes } from './server/access-control.ts';
import { type RunningAdmission, startAdmission } from './server/start-admission.ts';
import { type ServerListener, defaultListen, type ListenAddress, openListener } from './server/listener.ts';
import type { ForkOptions, IlkServer, ServerSnapshot, UserAccess } from './server/ilk-server.ts';
import { KubeconfigFile } from './server/kubeconfig-file.ts';
import type { ServerOptions } from './server/options.ts';
import { runControllers } from './server/run-controllers.ts';
import { ensureSystemObjects, servedKinds } from './server/system-objects.ts';
import { type Overload, overloadOptions, startOverload } from './server/overload.ts';
import { pooledRandom } from './server/pooled-random.ts';
import { Users } from './server/users.ts';
import {
  copyToMemory,
  type EtcdStorageOptions,
  type ForkableStore,
  isForkable,
  type StorageOptions,
  StoreError,
} from './storage/index.ts';
import { ConversionMetrics } from './server/conversion-metrics.ts';
import { onlyOurs, type OpenStorage, openStorage } from './server/open-storage.ts';
import { conversionConnector, parseServiceMap, type ServiceMap } from './webhook/index.ts';

export { authorizationModes, OpenApiDocumentError };
export type {
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
  return startOrClose(await openStorage(storage, { clock, onTrouble }), options);
}

async function startOrClose(
  storage: OpenStorage,
  options: ServerOptions,
  start?: Start,
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

/** A storage without room does not say where it is: clients are told of it, too. Nor does a value that cannot be read. */
function withPlace(error: unknown, { place }: OpenStorage): unknown {
  if (error instanceof DecodeError && place !== '') {
    const text = `${place} is damaged, restore a backup: a stored object cannot be read: ${error.message}`;
    return new StoreError('damaged', text, { cause: error });
  }
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof StoreError) || cause.code !== 'no-space') return error;
  return new StoreError('no-space', `${place}: ${cause.message}`, { cause });
}

/** What runs inside, in the order in which it was started. */
interface Inside {
  readonly storage: OpenStorage;
  readonly catalog: LiveCatalog;
  readonly registry: Registry;
  readonly access: AccessControl;
  readonly admission: RunningAdmission;
  readonly controllers: Controllers;
  readonly overload: Overload;
  /** How long requests work before they give way to others. */
  readonly slices: Slices;
  readonly stop: AbortController;
  readonly endCompaction: () => void;
  /** What is counted besides requests. */
  readonly metrics: readonly MetricSource[];
}

/** Where a fork goes on from. */
interface Start {
  readonly catalog: CatalogState;
  readonly rests: ReadonlyMap<string, IdleState>;
  /** The revision of the store. */
  readonly current: number;
}

async function startOn(storage: OpenStorage, options: ServerOptions, start?: Start): Promise<ServerInside> {
  const onTrouble = options.onTrouble ?? (() => {});
  const inside = await startInside(storage, { options, onTrouble, start });
  const users = new Users();
  const address = { text: '' };
  const connections = new ConnectionCounts();
  const handler = makeHandler(inside, options, { users, address, connections, onTrouble });
  try {
    await seed(inside, options);
    const listener = await openListener(options.listen ?? defaultListen, {
      handler,
      token: users.add(admin).token,
      counts: connections,
      onError: onTrouble,
      log: onTrouble,
    });
    address.text = listener.url.replace(/^https?:\/\//, '');
    const user = users.add(admin).user;
    const server = makeServer({ inside, handler, listener, users, options });
    return { server, registry: inside.registry, user };
  } catch (error) {
    await stopInside(inside);
    throw error;
  }
}

/** CRDs, then the objects that may need them. */
async function seed({ registry, storage, stop }: Inside, options: ServerOptions): Promise<void> {
  const { crds = [], objects = [], clock = systemClock } = options;
  const { signal } = stop;
  const isCrd = ({ kind }: KubeObject) => kind === 'CustomResourceDefinition';
  const allCrds = [...crds, ...objects.filter(isCrd)];
  const install = { signal, timeoutMs: crdsEstablishedMsMax, clock, alone: !storage.shared };
  if (allCrds.length > 0) await installCrds(registry, allCrds, install);
  const others = objects.filter((object) => !isCrd(object));
  await seedObjects(registry, others, signal);
}

interface InsideOptions {
  readonly options: ServerOptions;
  readonly onTrouble: (error: unknown) => void;
  readonly start: Start | undefined;
}

async function startInside(
  storage: OpenStorage,
  { options, onTrouble, start }: InsideOptions,
): Promise<Inside> {
  const { store, startCompaction } = storage;
  const { clock = systemClock, timers = systemTimers } = options;
  const gates = options.featureGates ?? defaultFeatureGates();
  const rules = new RuleEnvironments(minCompatibilityVersion, clock);
  const random = pooledRandom();
  const selectors = selectorsOf(options);
  const conversions = new ConversionMetrics();
  const catalog = new LiveCatalog({
    store,
    clock,
    timers,
    gates,
    selectors,
    builtIn: start === undefined ? servedKinds(options, rules) : [],
    rules,
    connectConversion: conversionConnector({
      services: serviceMapOf(options),
      random,
      clock,
      observe: (outcome) => conversions.observe(outcome),
      filters: options.webhookFilters ?? [],
    }),
    crdKind: crdKind({ gates, rules, selectors }),
    shared: storage.shared,
    onTrouble,
    ...(start && { from: { state: start.catalog, current: start.current } }),
  });
  await catalog.start();
  const access = new AccessControl(options);
  const services = serviceMapOf(options);
  const { authorizer } = access;
  const admission = await startAdmission(options, { catalog, rules, random, services, authorizer });
  const slices = options.slices ?? systemSlices(limits.sliceMs);
  const parts: RegistryParts = {
    store: access.observe(store),
    clock,
    random,
    admission: admission.chain,
    gateCounts: new GateCounts(),
    slices,
    grants: access.grants,
  };
  const registry = new Registry(parts, catalog);
  access.serve(registry);
  const stop = new AbortController();
  // Before the controllers: those of several servers meet at a Lease, which lives in one of them.
  if (start === undefined) {
    await ensureSystemObjects(registry, options, stop.signal);
    await access.ensurePolicy(registry, stop.signal);
  }
  const controllers = runControllers(storage, options, {
    registry,
    clock,
    onTrouble,
    disabled: options.disableControllers ?? [],
    ...(start && { rests: start.rests }),
  });
  const overload = startOverload(registry, overloadOptions(options, { clock, timers, onTrouble }));
  const { compactionIntervalMs: intervalMs = limits.compactionIntervalMs } = options;
  const repeat = (call: () => void) => timers.every(intervalMs, call);
  const endCompaction = intervalMs > 0 ? startCompaction({ repeat, onTrouble }) : () => {};
  const metrics = [...storage.metrics, conversions, ...overload.metrics];
  const running = { access, admission, controllers, overload, slices, stop, endCompaction };
  return { storage, catalog, registry, metrics, ...running };
}

function serviceMapOf({ services = {} }: ServerOptions): ServiceMap {
  return parseServiceMap(Object.entries(services).map(([service, url]) => `${service}=${url}`));
}

function selectorsOf({ selectors }: ServerOptions): SelectorOptions {
  return { ...defaultSelectorOptions, ...selectors };
}

interface HandlerSurroundings {
  readonly users: Users;
  readonly address: { readonly text: string };
  readonly connections: ConnectionCounts;
  readonly onTrouble: (error: unknown) => void;
}

function makeHandler(
  { registry, access, storage, slices, metrics, overload }: Inside,
  options: ServerOptions,
  parts: HandlerSurroundings,
): Handler {
  const clock = options.clock ?? systemClock;
  const reachable = { name: storage.name, check: storage.check };
  const ping = { name: 'ping', check: async () => {} };
  return new Handler({
    registry,
    discovery: new DiscoveryHandler(registry, {
      openApi: new OpenApiHandler(registry),
      serverAddress: () => parts.address.text,
    }),
    authenticator: authenticatorOf(options, parts.users),
    tokens: tokenAuthenticatorOf(options, parts.users),
    authorizer: access.authorizer,
    filters: options.filters ?? [],
    health: { livez: [ping], readyz: [ping, reachable] },
    metrics: new RequestMetrics(
      { clock, isServed: (path) => isServed(registry, path) },
      {
        families: [...fieldGateMetrics(registry), ...parts.connections.families(), ...overload.families],
        sources: metrics,
      },
    ),
    selectors: selectorsOf(options),
    version: versionInfo,
    clock,
    timers: options.timers ?? systemTimers,
    random: Math.random,
    slices,
    gate: overload.gate,
    ...(overload.debug && { debug: overload.debug }),
    onBug: parts.onTrouble,
  });
}

function authenticatorOf(options: ServerOptions, users: Users): Authenticator {
  const authenticators = [new CertificateAuthenticator(), ...tokenAuthenticators(options, users)];
  return new AuthenticatorUnion(authenticators, { anonymous: () => options.anonymousAuth === true });
}

function tokenAuthenticatorOf(options: ServerOptions, users: Users): Authenticator {
  return new AuthenticatorUnion(tokenAuthenticators(options, users), { anonymous: () => false });
}

function tokenAuthenticators(options: ServerOptions, users: Users): Authenticator[] {
  return [...(options.authenticators ?? []), users.authenticator, unknownTokens];
}

interface ServerParts {
  readonly inside: Inside;
  readonly handler: Handler;
  readonly listener: ServerListener;
  readonly users: Users;
  readonly options: ServerOptions;
}

function makeServer({ inside, handler, listener, users, options }: ServerParts): IlkServer {
  const file = new KubeconfigFile(listener.kubeconfig);
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    const closed = listener.listening?.close();
    await stopInside(inside);
    await closed;
    file.remove();
  };
  const close = () => (closing ??= closeAll());
  const inherited = { ...options, listen: listener.another };
  const snapshot = () => snapshotOf(inside, inherited);
  return {
    url: listener.url,
    kubeconfig: listener.kubeconfig,
    caPem: listener.caPem,
    fetch: inProcessFetch(handler, users.add(admin).user),
    get kubeconfigPath() {
      return file.path;
    },
    as: ({ name, groups = [] }) => accessOf(users.add({ name, groups }), handler, listener),
    snapshot,
    fork: async (own) => (await snapshot()).fork(own),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function accessOf(
  { user, token }: ReturnType<Users['add']>,
  handler: Handler,
  listener: ServerListener,
): UserAccess {
  const kubeconfig =
    listener.url === ''
      ? ''
      : kubeconfigText({ server: listener.url, caPem: listener.caPem, user: { token } });
  return { fetch: inProcessFetch(handler, user), kubeconfig };
}

/** A store that can fork is taken in the same turn as what stands on it; a copy of another one starts from nothing. */
async function snapshotOf(inside: Inside, inherited: ServerOptions): Promise<ServerSnapshot> {
  const { catalog, controllers } = inside;
  const { store } = inside.storage;
  if (!isForkable(store)) return snapshotOn(await copyToMemory(store), inherited, undefined);
  const kept = store.fork();
  const taken = { catalog: catalog.state(), rests: controllers.rests() };
  catalog.openWritten();
  return snapshotOn(kept, inherited, { ...taken, current: await kept.revision() });
}

/** Nobody writes to the store that is kept. */
function snapshotOn(kept: ForkableStore, inherited: ServerOptions, start: Start | undefined): ServerSnapshot {
  return {
    fork: async (own = {}) => {
      const options = { ...inherited, crds: [], objects: [], ...own };
      return (await startOrClose(onlyOurs(kept.fork()), options, start)).server;
    },
  };
}

/** Controllers first, then what they work on; watches end when the catalog closes. */
async function stopInside(inside: Inside): Promise<void> {
  const { access, admission, controllers, overload, catalog, storage, stop, endCompaction } = inside;
  stop.abort();
  endCompaction();
  admission.close();
  await access.close();
  await controllers.close();
  await overload.close();
  await catalog.close();
  await storage.store.close();
}
