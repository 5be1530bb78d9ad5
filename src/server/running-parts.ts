import { setMaxListeners } from 'node:events';
import { PolicyTypeChecker } from '../admission/index.ts';
import { YamlThread } from '../codec/index.ts';
import type { KeyServices } from '../encryption/index.ts';
import { kindSchemas } from './kind-schemas.ts';
import type { Controllers, IdleState } from '../controllers/index.ts';
import type { MetricSource } from '../http/index.ts';
import { crdKind } from '../kinds/index.ts';
import {
  defaultFeatureGates,
  defaultSelectorOptions,
  limits,
  minCompatibilityVersion,
  type Clock,
  type FeatureGates,
  type SelectorOptions,
  type Slices,
  systemClock,
  systemSlices,
  systemTimers,
  type Timers,
} from '../meta/index.ts';
import {
  type CatalogState,
  GateCounts,
  LiveCatalog,
  Registry,
  type RegistryParts,
  StorageClaims,
} from '../registry/index.ts';
import { RuleEnvironments } from '../schema/index.ts';
import { conversionConnector, parseServiceMap, type ServiceMap } from '../webhook/index.ts';
import { type ForkableStore, isForkable } from '../storage/index.ts';
import type { KeyPair } from '../auth/index.ts';
import { cborStorage } from './cbor-storage.ts';
import { certificateSigner } from './certificate-signer.ts';
import { decrypted } from './decrypted.ts';
import { AccessControl } from './access-control.ts';
import { ConversionMetrics } from './conversion-metrics.ts';
import type { OpenStorage } from './open-storage.ts';
import type { ServerOptions } from './options.ts';
import { type Overload, overloadOptions, startOverload } from './overload.ts';
import { pooledRandom } from './pooled-random.ts';
import { runControllers } from './run-controllers.ts';
import { type RunningAdmission, startAdmission } from './start-admission.ts';
import { ServiceAccounts } from './service-accounts.ts';
import { ConfigurationWrites } from './threads/configuration-writes.ts';
import { isFirstThread } from './threads/thread-share.ts';
import { ensureSystemObjects, servedKinds } from './system-objects.ts';

/** The parts of a server behind its listener, in start order. */
export interface RunningParts {
  readonly storage: OpenStorage;
  /** The store below, if a fork of it has the server's values; undefined if the values must be copied. */
  readonly forkable: ForkableStore | undefined;
  readonly catalog: LiveCatalog;
  readonly registry: Registry;
  readonly access: AccessControl;
  readonly serviceAccounts: ServiceAccounts;
  readonly admission: RunningAdmission;
  /** What other threads write; undefined if there are none. */
  readonly configurationWrites: ConfigurationWrites | undefined;
  readonly controllers: Controllers;
  readonly overload: Overload;
  /** How long requests work before they yield. */
  readonly slices: Slices;
  /** Parses long YAML documents. */
  readonly yaml: YamlThread;
  readonly stop: AbortController;
  readonly endCompaction: () => void;
  /** Decrypts the keys of stored values; closed with the server. */
  readonly keyServices: KeyServices | undefined;
  /** Metrics other than those of requests. */
  readonly metrics: readonly MetricSource[];
}

/** The state that a fork starts from. */
export interface StartState {
  readonly catalog: CatalogState;
  readonly rests: ReadonlyMap<string, IdleState>;
  /** The revision of the store. */
  readonly current: number;
}

interface StartOptions {
  readonly options: ServerOptions;
  readonly onTrouble: (error: unknown) => void;
  readonly start: StartState | undefined;
  /** The CA of client certificates; undefined if the port accepts none. */
  readonly authority: KeyPair | undefined;
}

/** Starts the parts that serve requests: catalog, access control, admission, registry, controllers, flow control. */
export async function startParts(
  opened: OpenStorage,
  { options, onTrouble, start, authority }: StartOptions,
): Promise<RunningParts> {
  const { clock = systemClock, timers = systemTimers } = options;
  const gates = options.featureGates ?? defaultFeatureGates();
  const rules = new RuleEnvironments(minCompatibilityVersion, clock, options.expressionObserver);
  const { store: plainStore, isStale } = decrypted(opened, options, () => servedKinds(options, rules));
  const store = cborStorage(plainStore, { writes: gates.CBORServingAndStorage });
  const storage = { ...opened, store };
  const random = pooledRandom();
  const conversions = new ConversionMetrics();
  const shared = { clock, timers, gates, rules, random, conversions, onTrouble, start };
  const catalog = makeCatalog(storage, options, shared);
  await catalog.start();
  const access = new AccessControl(options);
  const services = serviceMapOf(options);
  const { authorizer } = access;
  const admission = await startAdmission(options, { catalog, rules, random, services, authorizer });
  const configurationWrites =
    options.threads && new ConfigurationWrites(admission.configurations, options.threads.configurations);
  const observed = access.observe(store);
  const slices = options.slices ?? systemSlices();
  const yaml = new YamlThread(onTrouble);
  const registryParts: RegistryParts = {
    store: configurationWrites?.observe(observed) ?? observed,
    ...(options.encryption && { isStale }),
    clock,
    random,
    admission: admission.chain,
    gateCounts: new GateCounts(),
    slices,
    yaml,
    grants: access.grants,
    ...(storage.hasOtherWriters ? { claims: new StorageClaims({ store, clock }) } : {}),
  };
  const registry = new Registry(registryParts, catalog);
  access.serve(registry);
  admission.useRegistry(registry);
  const serviceAccounts = new ServiceAccounts(options.serviceAccounts ?? {}, { clock, onTrouble });
  serviceAccounts.serve(registry);
  const stop = new AbortController();
  // Each of the default objects that are created at the same time listens.
  setMaxListeners(0, stop.signal);
  // Before the controllers: those of several servers use a Lease in the default namespaces.
  if (start === undefined && isFirstThread(options)) {
    await ensureSystemObjects(registry, options, stop.signal);
    await access.ensurePolicy(registry, stop.signal);
  }
  const controllers = runControllers(storage, options, {
    registry,
    clock,
    timers,
    policyTypes: new PolicyTypeChecker(rules, kindSchemas(registry)),
    signCertificate: certificateSigner(authority),
    onTrouble,
    ...(start && { rests: start.rests }),
  });
  const overload = startOverload(registry, overloadOptions(options, { clock, timers, onTrouble }));
  const endCompaction = isFirstThread(options) ? compact(storage, options, { timers, onTrouble }) : () => {};
  const own = [...storage.metrics, conversions, admission.metrics, ...overload.metrics];
  const metrics = [...own, ...(options.metrics ?? [])];
  const served = { access, serviceAccounts, admission, controllers, overload, configurationWrites };
  const running = { ...served, slices, yaml, stop, endCompaction };
  const forkable = options.encryption === undefined && isForkable(opened.store) ? opened.store : undefined;
  const keyServices = options.encryption?.services;
  return { storage, forkable, catalog, registry, metrics, keyServices, ...running };
}

/** Compacts the storage at the interval of the options, until the returned function is called. */
function compact(
  { startCompaction }: OpenStorage,
  { compactionIntervalMs: intervalMs = limits.compactionIntervalMs }: ServerOptions,
  { timers, onTrouble }: { readonly timers: Timers; readonly onTrouble: (error: unknown) => void },
): () => void {
  const repeat = (call: () => void, times = 1) => timers.every(intervalMs / times, call);
  return intervalMs > 0 ? startCompaction({ repeat, onTrouble }) : () => {};
}

interface CatalogParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly gates: FeatureGates;
  readonly rules: RuleEnvironments;
  readonly random: (bytes: number) => Uint8Array;
  readonly conversions: ConversionMetrics;
  readonly onTrouble: (error: unknown) => void;
  readonly start: StartState | undefined;
}

function makeCatalog(
  { store, hasOtherWriters: shared }: OpenStorage,
  options: ServerOptions,
  { clock, timers, gates, rules, random, conversions, onTrouble, start }: CatalogParts,
): LiveCatalog {
  const selectors = selectorsOf(options);
  const connectConversion = conversionConnector({
    services: serviceMapOf(options),
    random,
    clock,
    observe: (outcome) => conversions.observe(outcome),
    filters: options.webhookFilters ?? [],
  });
  return new LiveCatalog({
    store,
    clock,
    timers,
    gates,
    selectors,
    builtIn: start === undefined ? servedKinds(options, rules) : [],
    rules,
    connectConversion,
    crdKind: crdKind({ gates, rules, selectors }),
    shared,
    onTrouble,
    ...(start && { from: { state: start.catalog, current: start.current } }),
  });
}

function serviceMapOf({ services = {} }: ServerOptions): ServiceMap {
  return parseServiceMap(Object.entries(services).map(([service, url]) => `${service}=${url}`));
}

/** The selector options of a server, with defaults. */
export function selectorsOf({ selectors }: ServerOptions): SelectorOptions {
  return { ...defaultSelectorOptions, ...selectors };
}

/**
 * Closes controllers first, then the parts that they use; closing the catalog ends watches.
 *
 * @param othersClosed resolves when no other thread needs the storage
 */
export async function stopParts(parts: RunningParts, othersClosed?: Promise<void>): Promise<void> {
  const { access, serviceAccounts, admission, controllers, overload, catalog, storage, stop, endCompaction } =
    parts;
  stop.abort();
  endCompaction();
  admission.close();
  await access.close();
  await serviceAccounts.close();
  await controllers.close();
  await overload.close();
  await catalog.close();
  await parts.yaml.close();
  await othersClosed;
  await storage.store.close();
  parts.keyServices?.close();
}
