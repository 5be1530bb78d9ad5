import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  type Authenticator,
  FileRevocations,
  loadCertificates,
  parseTokenFile,
  usersFileName,
} from '../../auth/index.ts';
import {
  type FeatureGates,
  nameOf,
  ownString,
  StatusError,
  systemClock,
  systemTimers,
} from '../../meta/index.ts';
import { KmsMetrics } from '../../encryption/index.ts';
import {
  audiencesOf,
  FirstThread,
  type FurtherThread,
  type IlkServer,
  OpenApiDocumentError,
  requireReusePort,
  type Stage,
  startServer,
} from '../../server.ts';
import { type ServiceAccountFlags, serviceAccountOptions } from '../flags/service-account-flags.ts';
import { type AuditFlags, auditorOf } from '../flags/audit-flags.ts';
import { type AuthenticationFlags, authenticationChoice } from '../flags/authentication-flags.ts';
import { type AuthorizationFlags, authorizationChoice } from '../flags/authorization-config.ts';
import { FlagTls, type TlsFlags } from '../flags/tls-flags.ts';
import { anonymousByDefault } from '../flags/authorization-flag.ts';
import { checkAddress } from '../flags/check-address.ts';
import { closeOnSignal } from '../close-on-signal.ts';
import { NpxShell } from '../npx-shell.ts';
import { openDataFolder } from '../flags/data-folder.ts';
import { consoleLoginFlags } from '../flags/console-login-flags.ts';
import { admissionConfigurationFlag } from '../flags/admission-configuration-flag.ts';
import { disabledControllers } from '../flags/controllers-flag.ts';
import type { FlagValues } from '../../storage/index.ts';
import { faultFilters } from '../flags/fault-filters.ts';
import { playgroundEndpoint } from '../../playground/index.ts';
import {
  type LoadedDocument,
  type LoadedObject,
  LoadError,
  loadCrds,
  ofFlag,
  loadOpenApiDocument,
} from '../../manifests/index.ts';
import { encryptionChoice, type EncryptionFlags } from '../flags/encryption-flag.ts';
import { type Reloading, reloadMetrics } from '../flags/followed-file.ts';
import { readFlagFile } from '../flags/flag-file.ts';
import { type Logger, makeLog } from '../log.ts';
import { versionText } from './version-command.ts';
import { admissionLog, requestLog, slowRequestLog } from '../request-log.ts';
import { type OverloadFlags, overloadChoice } from '../flags/overload-flags.ts';
import { type SelectorFlags, selectorOptions } from '../flags/selector-flags.ts';
import { simulateStages } from '../flags/simulate-stages-flag.ts';
import { storageOf } from '../flags/storage-flags.ts';

/** The flags of `ilk serve`, as parsed by commander. */
export interface ServeOptions
  extends FlagValues,
    SelectorFlags,
    OverloadFlags,
    ServiceAccountFlags,
    AuthenticationFlags,
    AuditFlags,
    AuthorizationFlags,
    EncryptionFlags,
    TlsFlags {
  /** Undefined: see `openDataFolder`. */
  readonly dataDir?: string;
  readonly storage?: string;
  readonly etcdCompactionInterval: number;
  readonly bindAddress: string;
  readonly securePort: number;
  readonly certDir?: string;
  readonly kubeconfigOut?: string;
  readonly crds: readonly string[];
  readonly serviceClusterIpRange?: string;
  readonly openapi: readonly string[];
  readonly featureGates?: FeatureGates;
  readonly admissionControlConfigFile?: string;
  readonly enableAdmissionPlugins: readonly string[];
  readonly slowRequestThreshold: number;
  readonly disableAdmissionPlugins: readonly string[];
  /** The value of `--controllers`; undefined runs all. */
  readonly controllers?: readonly string[];
  readonly simulateStages: readonly string[];
  readonly faultInjection: boolean;
  /** Undefined means on. */
  readonly console?: boolean;
  /** How many threads serve. */
  readonly workers: number;
  readonly consoleOidc: boolean;
  readonly consoleOidcClientSecretFile?: string;
  readonly tokenAuthFile?: string;
  readonly anonymousAuth?: boolean;
  readonly service: Readonly<Record<string, string>>;
  readonly logFormat: 'text' | 'json';
  readonly v: number;
}

/** Serves until a signal. Prints three lines on stdout when it is ready, and errors in one line on stderr. */
export async function serve(given: ServeOptions): Promise<void> {
  const shell = NpxShell.find(process.env);
  await checkWorkers(given);
  await checkAddress(given.bindAddress, given.securePort);
  const folder = await openDataFolder({ dataDir: given.dataDir, storage: given.storage });
  try {
    await serveFrom({ ...given, dataDir: folder.path }, shell);
  } finally {
    await folder.remove();
  }
}

/** The flags, and the folder they select. */
export type Placed = ServeOptions & { readonly dataDir: string };

/** @throws {Error} for several threads where they cannot be had */
async function checkWorkers({ workers, bindAddress, faultInjection }: ServeOptions): Promise<void> {
  if (workers === 1) return;
  if (faultInjection)
    throw new Error(`--fault-injection needs --workers 1, this is ${workers}: the rules are in one thread`);
  await requireReusePort(workers, bindAddress);
}

async function serveFrom(options: Placed, shell: NpxShell | undefined): Promise<void> {
  const isOne = options.workers === 1;
  const log = makeLog({
    format: options.logFormat,
    verbosity: options.v,
    ...(isOne ? {} : { worker: 0 }),
  });
  const loaded = await load(options);
  const threads = isOne ? undefined : new FirstThread(firstThreadParts(options, log));
  const server = await start(options, loaded, { log, threads });
  await threads?.start(threadEntry, threadData(options, loaded, server)).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  const kubeconfig = resolve(options.kubeconfigOut ?? join(options.dataDir, 'admin.kubeconfig'));
  await writePrivately(kubeconfig, server.kubeconfig);
  const closed = closeOnSignal(server, log, shell);
  if (options.v >= 2) log.info(`${versionText()}, on ${server.url}`);
  const link = server.consoleLink();
  const consoleLine = link === undefined ? '' : `console: ${link}\n`;
  process.stdout.write(`ilk is serving on ${server.url}\nexport KUBECONFIG=${kubeconfig}\n${consoleLine}`);
  await closed;
}

/** Replaces a file atomically; the new file does not inherit read permissions. */
async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    // The system does not always name the file, for instance if the disk is full.
    throw new Error(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** The program of a thread in the build, seen from the source and from the bundle. */
const threadEntry = new URL('../../dist/bin/serve-thread.js', import.meta.url);

function firstThreadParts({ workers: count }: Placed, log: Logger) {
  const onDeath = (error: unknown) => {
    log.fatal({ err: error }, error instanceof Error ? error.message : String(error));
    // A supervisor starts the server again: without the thread, it would serve only a part of its connections.
    process.exit(1);
  };
  return { count, timers: systemTimers, onDeath };
}

/** What the thread reads, besides what {@link FirstThread} gives it. */
export interface ServeThreadData {
  readonly options: Placed;
  readonly openapi: readonly LoadedDocument[];
}

/** CRDs are installed once; all threads listen on the port that the first one got. */
function threadData(options: Placed, { openapi }: Loaded, { url }: IlkServer) {
  const data: ServeThreadData = { options: { ...options, crds: [], securePort: portOf(url) }, openapi };
  return { ...data };
}

const portOf = (url: string): number => Number(new URL(url).port || 443);

async function load(options: Placed): Promise<Loaded> {
  const crds: LoadedObject[] = [];
  for (const path of options.crds) crds.push(...(await ofFlag('--crds', path, loadCrds(path))));
  const openapi = await Promise.all(
    options.openapi.map((file) => ofFlag('--openapi', file, loadOpenApiDocument(file))),
  );
  return { crds, openapi };
}

/** What a thread of the server has of its own. */
interface ThreadParts {
  readonly log: Logger;
  /** Undefined if there is one thread. */
  readonly threads: FirstThread | FurtherThread | undefined;
}

/** Starts the server of a thread. @throws {LoadError} for an object of a file that is refused */
export async function start(options: Placed, loaded: Loaded, parts: ThreadParts): Promise<IlkServer> {
  try {
    return await startWith(options, loaded, parts);
  } catch (error) {
    throw withFile(error, loaded);
  }
}

/** The contents of the files that flags name. */
interface Loaded {
  readonly crds: readonly LoadedObject[];
  readonly openapi: readonly LoadedDocument[];
}

/** Adds to an error the file that caused it, or the file that contains the CRD. */
function withFile(error: unknown, { crds, openapi }: Loaded): unknown {
  if (error instanceof OpenApiDocumentError) {
    return new LoadError(`${openapi[error.index]?.file}: ${error.message}`);
  }
  if (!(error instanceof StatusError)) return error;
  const { kind, name } = error.status.details ?? {};
  const refused =
    crds.length === 1
      ? crds[0]
      : crds.find(({ object }) => ownString(object, 'kind') === kind && nameOf(object) === name);
  return refused === undefined ? error : new LoadError(`${refused.file}: ${error.message}`);
}

async function startWith(
  options: Placed,
  { crds, openapi }: Loaded,
  { log, threads }: ThreadParts,
): Promise<IlkServer> {
  const { dataDir } = options;
  const onTrouble = (error: unknown) => log.error(error instanceof Error ? error.message : String(error));
  const reloading: Reloading = {
    clock: systemClock,
    timers: systemTimers,
    metrics: reloadMetrics(),
    onReload: (text) => log.info(text),
    onTrouble,
  };
  const kmsMetrics = new KmsMetrics(systemClock);
  const access = await accessOptions(options, log, reloading);
  // Threads that make the first key at the same time would sign with different ones.
  if (threads) await access.options.serviceAccounts.keys?.all();
  const requests = requestLog(log, options.v);
  const admissions = admissionLog(log, options.v);
  const slow = slowRequestLog(log, options.slowRequestThreshold);
  const auditor = await auditorOf(options, { clock: systemClock, timers: systemTimers, onTrouble, threads });
  const stages = await simulateStages(options.simulateStages);
  const tls = await tlsOf(options, access.proxyCaPem, log);
  return startServer({
    storage: await storageOf(options, dataDir),
    ...(await encryptionChoice(options, { ...reloading, kmsMetrics })),
    metrics: [reloading.metrics, kmsMetrics],
    compactionIntervalMs: options.etcdCompactionInterval,
    listen: {
      host: options.bindAddress,
      port: options.securePort,
      tls: tls.certificates,
      tlsSettings: tls.settings,
    },
    crds: crds.map(({ object }) => object),
    ...(options.serviceClusterIpRange === undefined
      ? {}
      : { serviceClusterIpRange: options.serviceClusterIpRange }),
    kubernetesService: true,
    openapi: openapi.map(({ document }) => document),
    ...(options.featureGates === undefined ? {} : { featureGates: options.featureGates }),
    selectors: selectorOptions(options),
    ...overloadChoice(options),
    ...(await admissionConfigurationFlag(options.admissionControlConfigFile)),
    enableAdmissionPlugins: options.enableAdmissionPlugins,
    disableAdmissionPlugins: options.disableAdmissionPlugins,
    ...controllersOf(options, stages),
    authenticators: await tokenAuthenticators(options),
    ...access.options,
    ...(auditor && { auditor }),
    ...(requests && { requestLog: requests }),
    ...(admissions && { admissionLog: admissions }),
    // Certificates of proxies do not identify users, nor do those of an authority that is no longer trusted.
    isUserChain: tls.isUserChain,
    ...filtersOf(options),
    console: options.console ?? true,
    consoleLogin: await consoleLoginFlags(options, (error) =>
      log.error({ err: error }, error instanceof Error ? error.message : String(error)),
    ),
    services: options.service,
    ...(slow && { slowRequests: slow }),
    ...(threads && { threads }),
    onTrouble: (error) => log.error({ err: error }, error instanceof Error ? error.message : String(error)),
  });
}

/** The playground belongs to the console. */
function filtersOf({ faultInjection, console = true, featureGates }: ServeOptions) {
  const { filters = [], ...rest } = faultInjection ? faultFilters() : {};
  return { ...rest, filters: [...(console ? [playgroundEndpoint(featureGates)] : []), ...filters] };
}

/** Stages enable the simulation. */
function controllersOf({ controllers = ['*'] }: ServeOptions, stages: readonly Stage[]) {
  const isStaged = stages.length > 0;
  const disabled = disabledControllers(controllers);
  const disableControllers = isStaged ? disabled.filter((name) => name !== 'simulate') : disabled;
  const runs = (name: string) => !disableControllers.includes(name);
  return {
    disableControllers,
    simulate: isStaged ? { stages } : runs('simulate'),
    signCertificates: runs('csrsigning'),
    disruptionBudgets: runs('disruption'),
  };
}

/** Authentication and authorization. */
async function accessOptions(options: Placed, log: Logger, reloading: Reloading) {
  const authorization = await authorizationChoice(options, reloading);
  const serviceAccounts = await serviceAccountOptions(options, pkiFolder(options));
  const chosen = await authenticationChoice(options, {
    ...reloading,
    reloading,
    ...audiencesOf(serviceAccounts),
  });
  const { anonymous, frontProxies, remoteAuthenticators } = chosen;
  const server = {
    serviceAccounts,
    frontProxies,
    remoteAuthenticators,
    revocations: revocationsOf(options, log),
    ...authorization,
    anonymousAuth:
      anonymous?.enabled ?? options.anonymousAuth ?? anonymousByDefault(authorization.authorizationModes),
    ...(anonymous?.paths && { anonymousPaths: anonymous.paths }),
  };
  return { options: server, proxyCaPem: chosen.proxyCaPem };
}

function revocationsOf(options: Placed, log: Logger): FileRevocations {
  return new FileRevocations(join(pkiFolder(options), usersFileName), {
    clock: systemClock,
    timers: systemTimers,
    onTrouble: (error) => log.error({ err: error }, String(error)),
  });
}

const pkiFolder = ({ certDir, dataDir }: Placed) => resolve(certDir ?? join(dataDir, 'pki'));

async function tlsOf(options: Placed, proxyCaPem: string, log: Logger): Promise<FlagTls> {
  const hosts = new Set(['localhost', '127.0.0.1', '::1', options.bindAddress]);
  const made = await loadCertificates(pkiFolder(options), { hosts: [...hosts], nowMs: Date.now() });
  const onTrouble = (error: unknown) => log.error(error instanceof Error ? error.message : String(error));
  return FlagTls.read(options, { made, proxyCaPem, timers: systemTimers, onTrouble });
}

async function tokenAuthenticators({ tokenAuthFile }: ServeOptions): Promise<Authenticator[]> {
  if (tokenAuthFile === undefined) return [];
  return [parseTokenFile(await readFlagFile('--token-auth-file', tokenAuthFile))];
}
