import { Command, InvalidArgumentError, Option } from 'commander';
import { pluginsWithoutEffect } from '../../admission/index.ts';
import { type AuthorizerName, authorizationModesFlag } from '../flags/authorization-flag.ts';
import { usualDataDir } from '../flags/data-folder.ts';
import { disabledControllers } from '../flags/controllers-flag.ts';
import { addEncryptionFlags } from '../flags/encryption-flag.ts';
import { featureGates, words } from '../flags/flag-values.ts';
import { disablePluginsHelp, enablePluginsHelp } from '../flags/admission-plugins-help.ts';
import { flagsWithoutEffect } from '../flags/flags-without-effect.ts';
import { takeIgnoredFlags } from '../flags/ignored-flags.ts';
import { numberFlag } from '../flags/number-flag.ts';
import { numberRules } from '../../server.ts';
import { addOverloadFlags } from '../flags/overload-flags.ts';
import { addSelectorFlags } from '../flags/selector-flags.ts';
import { type ServeOptions, serve } from './serve.ts';
import { addAuditFlags } from '../flags/audit-flags.ts';
import { addAuthorizationFlags } from '../flags/authorization-config.ts';
import { addTlsFlags } from '../flags/tls-flags.ts';
import { addAuthenticationFlags } from '../flags/authentication-flags.ts';
import { addServiceAccountFlags } from '../flags/service-account-flags.ts';
import { serviceFlag } from '../flags/service-flag.ts';
import { addStorageFlags, compactionIntervalOption } from '../flags/storage-flags.ts';
import { addWorkersFlag } from '../flags/workers-flag.ts';

const port = numberFlag(numberRules.port);
const count = numberFlag(numberRules.count);

/** Refuses unknown names while flags are parsed, so that the message names the flag. */
function controllers(text: string, previous: readonly string[] | undefined): string[] {
  const list = words(text, previous ?? []);
  try {
    disabledControllers(list);
    return list;
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function modes(text: string, previous: readonly AuthorizerName[] | undefined): AuthorizerName[] {
  try {
    return authorizationModesFlag(text, previous);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/** A boolean flag: alone, or with `=false`. */
function flag(text: string | boolean): boolean {
  return text === true || (typeof text === 'string' && text.toLowerCase() !== 'false');
}

/** The address, and the files of the server. */
function addListenFlags(command: Command): Command {
  return command
    .option(
      '--data-dir <dir>',
      `directory of the SQLite file, certificates and admin kubeconfig (default: ${usualDataDir}; with --storage memory a temporary directory)`,
    )
    .option('--bind-address <ip>', 'IP address to listen on', '127.0.0.1')
    .option('--secure-port <port>', 'port to listen on; 0 picks a free port', port, 6443)
    .option('--cert-dir <dir>', 'directory of generated certificates and keys (default: <data-dir>/pki)')
    .option('--tls-cert-file <file>', 'file of the serving certificate, instead of a generated one')
    .option('--tls-private-key-file <file>', 'private key file of --tls-cert-file')
    .option(
      '--client-ca-file <file>',
      'CA file that verifies client certificates, in addition to the generated CA',
    )
    .option(
      '--kubeconfig-out <file>',
      'file to write the admin kubeconfig to (default: <data-dir>/admin.kubeconfig)',
    )
    .option('--crds <path>', 'CRDs to install before serving: a file or a directory; repeatable', words, []);
}

/** What is served: kinds, features, service addresses. */
function addServedFlags(command: Command): Command {
  return addEncryptionFlags(command)
    .option('--service-cluster-ip-range <range>', 'CIDR of cluster IPs of Services (default: 10.96.0.0/12)')
    .option(
      '--openapi <file>',
      'OpenAPI v2 document, as "kubectl get --raw /openapi/v2" prints it: its other kinds are served without validation; repeatable',
      words,
      [],
    )
    .addOption(
      new Option('--feature-gates <list>', 'feature gates to set: A=true,B=false').argParser(featureGates),
    )
    .option(
      '--admission-control-config-file <file>',
      'AdmissionConfiguration file: limitedResources of the ResourceQuota plugin',
    );
}

/** Authorization and admission plugins. */
function addAccessFlags(command: Command): Command {
  return command
    .option('--enable-admission-plugins <list>', enablePluginsHelp(), words, [])
    .option('--disable-admission-plugins <list>', disablePluginsHelp(), words, [])
    .option('--token-auth-file <file>', 'CSV file of static tokens: token,user,uid,"group1,group2"')
    .addOption(
      new Option(
        '--anonymous-auth [bool]',
        'accept requests without credentials as system:anonymous (default: true, unless --authorization-mode is AlwaysAllow)',
      ).argParser(flag),
    )
    .addOption(
      new Option(
        '--authorization-mode <list>',
        'authorizers, in order: RBAC, Webhook, AlwaysAllow, AlwaysDeny (default: RBAC)',
      ).argParser(modes),
    );
}

/** Controllers, faults, services of webhooks, logs. */
function addRunningFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--controllers <list>',
        "controllers to run: '*' is all defaults, 'foo' adds one, '-foo' removes one (default: *); '+simulate' simulates nodes and workloads, '+csrsigning' signs CertificateSigningRequests, '+disruption' computes PodDisruptionBudgets",
      ).argParser(controllers),
    )
    .option(
      '--simulate-stages <path>',
      'Stages of kwok, a file or a directory; repeatable: simulates nodes and workloads, with these stages for the objects that they select',
      words,
      [],
    )
    .addOption(
      new Option('--console [bool]', 'serve the web console at /console/ (default: true)').argParser(flag),
    )
    .option(
      '--console-oidc',
      'sign in to the console at the issuer of --oidc-issuer-url, as the client of --oidc-client-id',
      false,
    )
    .option(
      '--console-oidc-client-secret-file <file>',
      'file with the secret of that client (default: a public client)',
    )
    .option('--fault-injection', 'serve /ilk/v1/faults, where clients add fault injection rules', false)
    .option(
      '--service <mapping>',
      'address of a Service that webhooks name: namespace/name:port=https://host:port; repeatable',
      serviceFlag,
      {},
    )
    .addOption(
      new Option('--log-format <format>', 'format of log lines on stderr')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option(
      '--slow-request-threshold <ms>',
      'log requests that take at least this many milliseconds; 0 disables',
      count,
      1000,
    )
    .option('-v, --v <level>', 'log verbosity: 2 logs slow requests, 3 logs every request', count, 0);
}

/** The flags, in the order of the help. */
const flagGroups = [
  (command: Command) => addStorageFlags(command).addOption(compactionIntervalOption()),
  addListenFlags,
  addServedFlags,
  addAccessFlags,
  addRunningFlags,
  addSelectorFlags,
  addServiceAccountFlags,
  addAuthenticationFlags,
  addAuditFlags,
  addAuthorizationFlags,
  addTlsFlags,
  addOverloadFlags,
  addWorkersFlag,
];

/** `ilk serve`: flags have kube-apiserver's names and meanings where it has them. */
export function serveCommand(): Command {
  const command = new Command('serve').description('serve the Kubernetes API for your own kinds');
  return flagGroups
    .reduce((all, add) => add(all), command)
    .helpOption('-h, --help', 'this help')
    .action((options: ServeOptions, self: Command) => {
      for (const line of flagsWithoutEffect(self)) process.stderr.write(`ilk: ${line}\n`);
      warnOfPlugins(pluginsWithoutEffect(options.enableAdmissionPlugins));
      return serve(options);
    });
}

/** Parses the arguments of `ilk serve`; warns in one line of flags without effect. */
export function withoutIgnoredFlags(args: readonly string[]): readonly string[] {
  if (args[0] !== 'serve') return args;
  const { kept, ignored } = takeIgnoredFlags(args);
  warnOf(ignored);
  return kept;
}

function warnOfPlugins(names: readonly string[]): void {
  if (names.length === 0) return;
  process.stderr.write(`ilk: these admission plugins do nothing here: ${names.join(', ')}\n`);
}

function warnOf(flags: readonly string[]): void {
  if (flags.length === 0) return;
  process.stderr.write(`ilk: these flags of kube-apiserver mean nothing here: ${flags.join(', ')}\n`);
}
