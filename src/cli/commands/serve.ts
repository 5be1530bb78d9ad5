import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  type Authenticator,
  type Certificates,
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
import { type AuthorizationMode, type IlkServer, OpenApiDocumentError, startServer } from '../../server.ts';
import { type ServiceAccountFlags, serviceAccountOptions } from '../flags/service-account-flags.ts';
import { anonymousByDefault } from '../flags/authorization-flag.ts';
import { checkAddress } from '../flags/check-address.ts';
import { closeOnSignal } from '../close-on-signal.ts';
import { openDataFolder } from '../flags/data-folder.ts';
import { disabledControllers } from '../flags/controllers-flag.ts';
import type { FlagValues } from '../../storage/index.ts';
import { faultFilters } from '../flags/fault-filters.ts';
import {
  type LoadedDocument,
  type LoadedObject,
  LoadError,
  loadCrds,
  loadOpenApiDocument,
} from '../../manifests/index.ts';
import { readFlagFile } from '../flags/flag-file.ts';
import { type Logger, makeLog } from '../log.ts';
import { type OverloadFlags, overloadChoice } from '../flags/overload-flags.ts';
import { type SelectorFlags, selectorOptions } from '../flags/selector-flags.ts';
import { storageOf } from '../flags/storage-flags.ts';

/** The flags of `ilk serve`, as commander names them. */
export interface ServeOptions extends FlagValues, SelectorFlags, OverloadFlags, ServiceAccountFlags {
  /** Undefined: see `openDataFolder`. */
  readonly dataDir?: string;
  readonly storage?: string;
  readonly etcdCompactionInterval: number;
  readonly bindAddress: string;
  readonly securePort: number;
  readonly certDir?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly clientCaFile?: string;
  readonly kubeconfigOut?: string;
  readonly crds: readonly string[];
  readonly serviceClusterIpRange?: string;
  readonly openapi: readonly string[];
  readonly featureGates?: FeatureGates;
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  /** As `--controllers` has it; undefined runs all. */
  readonly controllers?: readonly string[];
  readonly faultInjection: boolean;
  readonly tokenAuthFile?: string;
  readonly anonymousAuth?: boolean;
  readonly authorizationMode?: readonly AuthorizationMode[];
  readonly service: Readonly<Record<string, string>>;
  readonly logFormat: 'text' | 'json';
  readonly v: number;
}

/**
 * Serves until a signal ends it. What is ready is said in two lines on stdout; what cannot be done in one line on
 * stderr.
 */
export async function serve(given: ServeOptions): Promise<void> {
  await checkAddress(given.bindAddress, given.securePort);
  const folder = await openDataFolder({ dataDir: given.dataDir, storage: given.storage });
  try {
    await serveFrom({ ...given, dataDir: folder.path });
  } finally {
    await folder.remove();
  }
}

/** The flags, and the folder that they come to. */
type Placed = ServeOptions & { readonly dataDir: string };

async function serveFrom(options: Placed): Promise<void> {
  const log = makeLog({ format: options.logFormat, verbosity: options.v });
  const server = await start(options, log);
  const kubeconfig = resolve(options.kubeconfigOut ?? join(options.dataDir, 'admin.kubeconfig'));
  await writePrivately(kubeconfig, server.kubeconfig);
  const closed = closeOnSignal(server, log);
  process.stdout.write(`ilk is serving on ${server.url}\nexport KUBECONFIG=${kubeconfig}\n`);
  await closed;
}

/** Replaces a file whole, and whoever could read the old one cannot read the new one. */
async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    // The system does not always name the file, as where the disk is full.
    throw new Error(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

async function start(options: Placed, log: Logger): Promise<IlkServer> {
  const crds: LoadedObject[] = [];
  for (const path of options.crds) crds.push(...(await loadCrds(path)));
  const openapi = await Promise.all(options.openapi.map(loadOpenApiDocument));
  try {
    return await startWith(options, { crds, openapi }, log);
  } catch (error) {
    throw withFile(error, { crds, openapi });
  }
}

/** What was read from files. */
interface Loaded {
  readonly crds: readonly LoadedObject[];
  readonly openapi: readonly LoadedDocument[];
}

/** Says which file it is that was refused, or in which the CRD stands. */
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

async function startWith(options: Placed, { crds, openapi }: Loaded, log: Logger): Promise<IlkServer> {
  const { dataDir } = options;
  return startServer({
    storage: await storageOf(options, dataDir),
    compactionIntervalMs: options.etcdCompactionInterval,
    listen: {
      host: options.bindAddress,
      port: options.securePort,
      tls: await certificatesOf(options),
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
    enableAdmissionPlugins: options.enableAdmissionPlugins,
    disableAdmissionPlugins: options.disableAdmissionPlugins,
    disableControllers: disabledControllers(options.controllers ?? ['*']),
    authenticators: await tokenAuthenticators(options),
    serviceAccounts: await serviceAccountOptions(options, pkiFolder(options)),
    ...accessOptions(options),
    revocations: revocationsOf(options, log),
    ...(options.faultInjection ? faultFilters() : {}),
    services: options.service,
    onTrouble: (error) => log.error({ err: error }, error instanceof Error ? error.message : String(error)),
  });
}

function accessOptions({ authorizationMode: modes = ['RBAC'], anonymousAuth }: ServeOptions) {
  return { authorizationModes: modes, anonymousAuth: anonymousAuth ?? anonymousByDefault(modes) };
}

function revocationsOf(options: Placed, log: Logger): FileRevocations {
  return new FileRevocations(join(pkiFolder(options), usersFileName), {
    clock: systemClock,
    timers: systemTimers,
    onTrouble: (error) => log.error({ err: error }, String(error)),
  });
}

const pkiFolder = ({ certDir, dataDir }: Placed) => resolve(certDir ?? join(dataDir, 'pki'));

async function certificatesOf(options: Placed): Promise<Certificates> {
  const hosts = new Set(['localhost', '127.0.0.1', '::1', options.bindAddress]);
  const made = await loadCertificates(pkiFolder(options), {
    hosts: [...hosts],
    nowMs: Date.now(),
  });
  const server = await givenServerPair(options);
  const clientCa =
    options.clientCaFile === undefined ? '' : await readFlagFile('--client-ca-file', options.clientCaFile);
  return {
    ...made,
    clientCaPem: `${made.ca.certPem}\n${clientCa}`,
    ...(server === undefined ? {} : { server, serverCaPem: server.certPem }),
  };
}

async function givenServerPair({ tlsCertFile, tlsPrivateKeyFile }: ServeOptions) {
  if (tlsCertFile === undefined && tlsPrivateKeyFile === undefined) return undefined;
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) {
    throw new Error('--tls-cert-file and --tls-private-key-file need each other');
  }
  return {
    certPem: await readFlagFile('--tls-cert-file', tlsCertFile),
    keyPem: await readFlagFile('--tls-private-key-file', tlsPrivateKeyFile),
  };
}

async function tokenAuthenticators({ tokenAuthFile }: ServeOptions): Promise<Authenticator[]> {
  if (tokenAuthFile === undefined) return [];
  return [parseTokenFile(await readFlagFile('--token-auth-file', tokenAuthFile))];
}
