import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Authenticator,
  type Certificates,
  type KeyPair,
  loadCertificates,
  parseTokenFile,
} from '../../auth/index.ts';
import { featureGates, parseFeatureGates } from '../../meta/index.ts';
import type { ServerOptions, ServiceAccountOptions } from '../../server.ts';
import { authorizationModesFlag } from '../flags/authorization-flag.ts';
import { disabledControllers } from '../flags/controllers-flag.ts';
import { admissionConfigurationFlag } from '../flags/admission-configuration-flag.ts';
import { encryptionOf } from '../flags/encryption-flag.ts';
import { readFlagFile } from '../flags/flag-file.ts';
import { serviceAccountOptions } from '../flags/service-account-flags.ts';
import { harnessStorage } from './harness-storage.ts';
import { type Flags, readFlags } from './read-flags.ts';

/** The boolean flags of kube-apiserver that suites pass. */
const booleans: ReadonlySet<string> = new Set([
  'allow-privileged',
  'anonymous-auth',
  'authentication-skip-lookup',
  'enable-aggregator-routing',
  'enable-bootstrap-token-auth',
  'enable-garbage-collector',
  'enable-logs-handler',
  'enable-priority-and-fairness',
  'fault-injection',
  'help',
  'profiling',
  'service-account-lookup',
  'watch-cache',
]);

/** Flags that have an effect in Ilk. */
const understood: ReadonlySet<string> = new Set([
  'admission-control-config-file',
  'anonymous-auth',
  'authorization-mode',
  'bind-address',
  'cert-dir',
  'client-ca-file',
  'controllers',
  'disable-admission-plugins',
  'enable-admission-plugins',
  'encryption-provider-config',
  'etcd-cafile',
  'etcd-certfile',
  'etcd-keyfile',
  'etcd-prefix',
  'etcd-servers',
  'fault-injection',
  'feature-gates',
  'log-format',
  'secure-port',
  'api-audiences',
  'service-account-issuer',
  'service-account-key-file',
  'service-account-signing-key-file',
  'service-cluster-ip-range',
  'tls-cert-file',
  'tls-private-key-file',
  'token-auth-file',
  'v',
]);

/** Flags that every harness passes; they cause no warning. */
const passedByHarnesses: ReadonlySet<string> = new Set([
  'advertise-address',
  'allow-privileged',
  'insecure-port',
]);

/** Suites for envtest assert that namespaces stay Terminating and that dependents outlive their owners. */
const controllersOfEnvtest = [
  '*',
  '-namespace',
  '-garbage-collector',
  '-clusterrole-aggregation',
  '-resourcequota',
  '-validatingadmissionpolicy-status',
];

/** The options for Ilk from a command line of kube-apiserver. */
interface ApiServerOptions {
  readonly server: Omit<ServerOptions, 'onTrouble' | 'filters' | 'webhookFilters'>;
  readonly faultInjection: boolean;
  readonly logFormat: 'text' | 'json';
  readonly verbosity: number;
  /** Flags and values without effect, for one warning. */
  readonly ignored: readonly string[];
}

/**
 * Parses a command line of envtest and similar harnesses.
 *
 * @throws {Error} with one sentence for an invalid value, and the system's error for a missing file
 */
export async function readApiServerOptions(args: readonly string[]): Promise<ApiServerOptions> {
  const flags = readFlags(args, { booleans });
  const gates = readGates(flags.all('feature-gates'));
  const host = flags.last('bind-address') ?? '127.0.0.1';
  const tls = await certificatesOf(flags, host);
  const range = serviceRange(flags);
  const named = authorizationModesFlag(flags.all('authorization-mode').join(','));
  const modes = named.filter((mode) => mode !== 'Webhook');
  return {
    server: {
      storage: await harnessStorage(flags),
      listen: { host, port: portOf(flags), tls },
      ...(range === undefined ? {} : { serviceClusterIpRange: range }),
      kubernetesService: true,
      featureGates: parseFeatureGates(gates.known.join(',')),
      ...(await encryptionOf(flags.last('encryption-provider-config'))),
      ...(await admissionConfigurationFlag(flags.last('admission-control-config-file'))),
      enableAdmissionPlugins: words(flags, 'enable-admission-plugins'),
      disableAdmissionPlugins: words(flags, 'disable-admission-plugins'),
      disableControllers: disabledControllers(
        flags.all('controllers').length > 0 ? words(flags, 'controllers') : controllersOfEnvtest,
      ),
      anonymousAuth: flags.last('anonymous-auth') !== 'false',
      authorizationModes: modes.length === 0 ? ['RBAC'] : modes,
      authenticators: await tokenAuthenticators(flags),
      serviceAccounts: await serviceAccounts(flags),
    },
    faultInjection: flags.last('fault-injection') === 'true',
    logFormat: flags.last('log-format') === 'json' ? 'json' : 'text',
    verbosity: Number(flags.last('v') ?? 0) || 0,
    ignored: [
      ...flags.names.filter((name) => !understood.has(name) && !passedByHarnesses.has(name)).map(asFlag),
      ...gates.unknown.map((gate) => `--feature-gates=${gate}`),
    ],
  };
}

const asFlag = (name: string) => `--${name}`;

function words(flags: Flags, name: string): string[] {
  return flags.all(name).flatMap((value) => value.split(',').filter((word) => word !== ''));
}

function portOf(flags: Flags): number {
  const port = Number(flags.last('secure-port') ?? 6443);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`--secure-port ${flags.last('secure-port')}: not a port`);
}

/** The first of two ranges: the second is for IPv6. */
function serviceRange(flags: Flags): string | undefined {
  return flags.last('service-cluster-ip-range')?.split(',')[0];
}

/** Kubernetes' feature gates that Ilk does not have switch features that Ilk does not have. */
function readGates(values: readonly string[]): { known: string[]; unknown: string[] } {
  const names: ReadonlySet<string> = new Set(featureGates.map(({ name }) => name));
  const given = values.flatMap((value) => value.split(',')).filter((gate) => gate.trim() !== '');
  const isKnown = (gate: string) => names.has((gate.split('=')[0] ?? '').trim());
  return { known: given.filter(isKnown), unknown: given.filter((gate) => !isKnown(gate)) };
}

/**
 * Tokens on request, as in envtest; accounts are made by a controller, which it does not run. Harnesses name key
 * files that they never wrote: then a key is made for the life of the process.
 */
async function serviceAccounts(flags: Flags): Promise<ServiceAccountOptions> {
  const named = flags.last('service-account-signing-key-file');
  const signingFile = named !== undefined && existsSync(named) ? named : undefined;
  const given = {
    ...(signingFile !== undefined && { serviceAccountSigningKeyFile: signingFile }),
    serviceAccountKeyFile:
      signingFile === undefined
        ? []
        : flags.all('service-account-key-file').filter((file) => existsSync(file)),
    serviceAccountIssuer: flags.all('service-account-issuer'),
    apiAudiences: words(flags, 'api-audiences'),
  };
  const { keys, ...options } = await serviceAccountOptions(given, flags.last('cert-dir') ?? '');
  return { ...options, ...(signingFile !== undefined && keys && { keys }), defaultAccounts: false };
}

async function tokenAuthenticators(flags: Flags): Promise<Authenticator[]> {
  const file = flags.last('token-auth-file');
  return file === undefined ? [] : [parseTokenFile(await readFlagFile('--token-auth-file', file))];
}

/**
 * The named certificate and key, or those in the folder under kube-apiserver's names; otherwise they are created
 * there. Client certificates are verified with `--client-ca-file`.
 */
async function certificatesOf(flags: Flags, host: string): Promise<Certificates> {
  const clientCaFile = flags.last('client-ca-file');
  const clientCa = clientCaFile === undefined ? '' : await readFlagFile('--client-ca-file', clientCaFile);
  const server = await givenPair(flags);
  if (server !== undefined) return withGivenPair(server, clientCa);
  const hosts = ['localhost', '127.0.0.1', '::1', host];
  const made = await loadCertificates(flags.last('cert-dir') ?? '/var/run/kubernetes', {
    hosts: [...new Set(hosts)],
    nowMs: Date.now(),
  });
  return { ...made, clientCaPem: `${made.ca.certPem}${clientCa}` };
}

async function givenPair(flags: Flags): Promise<KeyPair | undefined> {
  const certFile = flags.last('tls-cert-file');
  const keyFile = flags.last('tls-private-key-file');
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new Error('--tls-cert-file and --tls-private-key-file need each other');
  }
  if (certFile !== undefined && keyFile !== undefined) return readPair(certFile, keyFile);
  const folder = flags.last('cert-dir') ?? '';
  const [cert, key] = [join(folder, 'apiserver.crt'), join(folder, 'apiserver.key')];
  return folder !== '' && existsSync(cert) && existsSync(key) ? readPair(cert, key) : undefined;
}

async function readPair(certFile: string, keyFile: string): Promise<KeyPair> {
  return {
    certPem: await readFlagFile('--tls-cert-file', certFile),
    keyPem: await readFlagFile('--tls-private-key-file', keyFile),
  };
}

/** Then Ilk has no authority of its own and no administrator: the harness makes its users. */
function withGivenPair(server: KeyPair, clientCa: string): Certificates {
  const nobody = { certPem: '', keyPem: '' };
  const ca = { certPem: server.certPem, keyPem: '' };
  return { ca, server, admin: nobody, clientCaPem: clientCa === '' ? server.certPem : clientCa };
}
