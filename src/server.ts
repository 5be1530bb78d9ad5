/**
 * The composition root: the one file that names a storage driver, and puts the rooms together.
 */
import { randomBytes } from 'node:crypto';
import { AdmissionChain, type AdmissionPlugin, namespaceLifecycle } from './admission/index.ts';
import {
  type Authenticator,
  authenticateAnonymous,
  authenticateCertificate,
  authorizeMasters,
  firstOf,
} from './auth/index.ts';
import {
  type Controllers,
  ensureSystemNamespaces,
  installCrds,
  seedObjects,
  startControllers,
} from './controllers/index.ts';
import {
  DiscoveryHandler,
  Handler,
  type InProcessFetch,
  inProcessFetch,
  OpenApiHandler,
  RequestMetrics,
  versionInfo,
} from './http/index.ts';
import {
  type Clock,
  defaultFeatureGates,
  type FeatureGates,
  type KubeObject,
  limits,
  systemClock,
  type UserInfo,
} from './meta/index.ts';
import { builtInKinds, crdKind, LiveCatalog, Registry, type RegistryParts } from './registry/index.ts';
import { RuleEnvironments } from './schema/index.ts';
import { type Door, defaultListen, type ListenAddress, openDoor } from './server/door.ts';
import { KubeconfigFile } from './server/kubeconfig-file.ts';
import { pooledRandom } from './server/pooled-random.ts';
import { compactPeriodically, createMemoryStore, openSqliteStore, type Store } from './storage/index.ts';

/** Where objects are kept. */
export type StorageOptions =
  | { readonly kind: 'memory' }
  /** A SQLite database in a folder that is made if it is missing. */
  | { readonly kind: 'sqlite'; readonly dataDir: string };

export type { ListenAddress };

export interface ServerOptions {
  /** Memory by default: nothing is left behind. */
  readonly storage?: StorageOptions;
  /** Plain HTTP on a free port of the loopback interface by default; `false` opens no port. */
  readonly listen?: ListenAddress | false;
  /** CRDs that are established before the server is there. */
  readonly crds?: readonly KubeObject[];
  /**
   * Objects that are there before the server is, with the status that they have: a client would need a second request
   * for it. CRDs among them are established first; namespaces that are missing are made; what a data folder already
   * has is replaced. For tests that start in the middle of a story.
   */
  readonly objects?: readonly KubeObject[];
  readonly featureGates?: FeatureGates;
  readonly disableAdmissionPlugins?: readonly string[];
  /** Controllers that stay off, by name: `garbage-collector`, for suites that assert that owners leave children. */
  readonly disableControllers?: readonly string[];
  /** Authenticators that are asked after client certificates. */
  readonly authenticators?: readonly Authenticator[];
  readonly anonymousAuth?: boolean;
  readonly clock?: Clock;
  /** Told of what goes wrong inside. */
  readonly onTrouble?: (error: unknown) => void;
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
  /** Ends watches, finishes what is under way, and lets go of port and storage. */
  close(): Promise<void>;
}

/** Who calls from inside the process. */
const adminUser: UserInfo = Object.freeze({
  name: 'ilk-admin',
  groups: ['system:masters', 'system:authenticated'],
});

const crdsEstablishedMsMax = 30_000;

/**
 * Starts a server in this process.
 *
 * ```ts
 * await using server = await startServer({ crds: [widgetCrd] });
 * const answer = await server.fetch('/apis/example.com/v1/widgets');
 * ```
 *
 * @throws {StoreError} `refused` for a data folder that cannot be used
 * @throws {StatusError} for a CRD or an object that is refused
 */
export async function startServer(options: ServerOptions = {}): Promise<IlkServer> {
  const store = await openStore(options.storage ?? { kind: 'memory' });
  try {
    return await startOn(store, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

function openStore(storage: StorageOptions): Promise<Store> {
  return storage.kind === 'memory'
    ? Promise.resolve(createMemoryStore())
    : openSqliteStore({ dataDir: storage.dataDir });
}

/** What runs inside, in the order in which it was started. */
interface Inside {
  readonly store: Store;
  readonly catalog: LiveCatalog;
  readonly registry: Registry;
  readonly controllers: Controllers;
  readonly stop: AbortController;
  readonly endCompaction: () => void;
}

async function startOn(store: Store, options: ServerOptions): Promise<IlkServer> {
  const onTrouble = options.onTrouble ?? (() => {});
  const inside = await startInside(store, options, onTrouble);
  const token = randomBytes(24).toString('base64url');
  const address = { text: '' };
  const handler = makeHandler(inside, options, { token, address, onTrouble });
  try {
    const { signal } = inside.stop;
    await ensureSystemNamespaces(inside.registry, signal);
    await seed(inside, options);
    const door = await openDoor(handler, options.listen ?? defaultListen, token);
    address.text = door.url.replace(/^https?:\/\//, '');
    return makeServer(inside, handler, door);
  } catch (error) {
    await stopInside(inside);
    throw error;
  }
}

/** CRDs, then the objects that may need them. */
async function seed({ registry, stop }: Inside, { crds = [], objects = [] }: ServerOptions): Promise<void> {
  const { signal } = stop;
  const isCrd = ({ kind }: KubeObject) => kind === 'CustomResourceDefinition';
  const allCrds = [...crds, ...objects.filter(isCrd)];
  await installCrds(registry, allCrds, { signal, timeoutMs: crdsEstablishedMsMax });
  const others = objects.filter((object) => !isCrd(object));
  await seedObjects(registry, others, signal);
}

async function startInside(
  store: Store,
  options: ServerOptions,
  onTrouble: (error: unknown) => void,
): Promise<Inside> {
  const clock = options.clock ?? systemClock;
  const gates = options.featureGates ?? defaultFeatureGates();
  const rules = new RuleEnvironments(versionOfNewRules);
  const catalog = new LiveCatalog({
    store,
    clock,
    gates,
    builtIn: builtInKinds,
    rules,
    crdKind: crdKind(gates, rules),
    onTrouble,
  });
  await catalog.start();
  const plugins = admissionPlugins(catalog).filter(
    ({ name }) => options.disableAdmissionPlugins?.includes(name) !== true,
  );
  const parts: RegistryParts = {
    store,
    clock,
    random: pooledRandom(),
    admission: new AdmissionChain(plugins),
  };
  const registry = new Registry(parts, catalog);
  const controllers = startControllers({
    registry,
    clock,
    onTrouble,
    disabled: options.disableControllers ?? [],
  });
  const endCompaction = compactPeriodically(store, { intervalMs: limits.compactionIntervalMs, onTrouble });
  return { store, catalog, registry, controllers, stop: new AbortController(), endCompaction };
}

/** One behind the version that is served, as upstream has it: so a server can be rolled back. */
const versionOfNewRules = {
  major: Number(versionInfo.major),
  minor: Number(versionInfo.minor) - 1,
};

function admissionPlugins(catalog: LiveCatalog): AdmissionPlugin[] {
  return [namespaceLifecycle((name) => catalog.findNamespace(name))];
}

function makeHandler(
  { registry, store }: Inside,
  options: ServerOptions,
  parts: { token: string; address: { text: string }; onTrouble: (error: unknown) => void },
): Handler {
  const clock = options.clock ?? systemClock;
  const reachable = { name: 'storage', check: async () => void (await store.revision()) };
  const ping = { name: 'ping', check: async () => {} };
  return new Handler({
    registry,
    discovery: new DiscoveryHandler(registry, {
      openApi: new OpenApiHandler(registry),
      serverAddress: () => parts.address.text,
    }),
    authenticate: authenticatorOf(options, parts.token),
    authorize: authorizeMasters,
    health: { livez: [ping], readyz: [ping, reachable] },
    metrics: new RequestMetrics(clock),
    version: versionInfo,
    clock,
    random: Math.random,
    limits,
    onBug: parts.onTrouble,
  });
}

function authenticatorOf(options: ServerOptions, token: string): Authenticator {
  const ownToken: Authenticator = ({ bearerToken }) => (bearerToken === token ? adminUser : undefined);
  return firstOf([
    authenticateCertificate,
    ...(options.authenticators ?? []),
    ownToken,
    ...(options.anonymousAuth === true ? [authenticateAnonymous] : []),
  ]);
}

function makeServer(inside: Inside, handler: Handler, door: Door): IlkServer {
  const file = new KubeconfigFile(door.kubeconfig);
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    const closed = door.listening?.close();
    await stopInside(inside);
    await closed;
    file.remove();
  };
  const close = () => (closing ??= closeAll());
  return {
    url: door.url,
    kubeconfig: door.kubeconfig,
    caPem: door.caPem,
    fetch: inProcessFetch(handler, adminUser),
    get kubeconfigPath() {
      return file.path;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Controllers first, then what they work on; watches end when the catalog closes. */
async function stopInside({ controllers, catalog, store, stop, endCompaction }: Inside): Promise<void> {
  stop.abort();
  endCompaction();
  await controllers.close();
  await catalog.close();
  await store.close();
}
