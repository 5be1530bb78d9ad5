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
      `SQLite file, certificates and admin kubeconfig are kept here (default: ${usualDataDir}; with --storage memory a temporary folder)`,
    )
    .option('--bind-address <ip>', 'the address to listen on', '127.0.0.1')
    .option('--secure-port <port>', 'the port to listen on; 0 takes a free one', port, 6443)
    .option('--cert-dir <dir>', 'certificates made on first start are kept here (default: <data-dir>/pki)')
    .option('--tls-cert-file <file>', "the server's certificate, instead of one made here")
    .option('--tls-private-key-file <file>', 'the key of --tls-cert-file')
    .option('--client-ca-file <file>', 'the authority of client certificates, besides our own')
    .option('--kubeconfig-out <file>', 'the admin kubeconfig (default: <data-dir>/admin.kubeconfig)')
    .option('--crds <path>', 'CRDs to install before serving: a file or a folder; repeatable', words, []);
}

/** What is served: kinds, features, service addresses. */
function addServedFlags(command: Command): Command {
  return addEncryptionFlags(command)
    .option('--service-cluster-ip-range <range>', 'the addresses that services get (default: 10.96.0.0/12)')
    .option(
      '--openapi <file>',
      'serve the other kinds of what "kubectl get --raw /openapi/v2" printed, as plain objects; repeatable',
      words,
      [],
    )
    .addOption(new Option('--feature-gates <list>', 'A=true,B=false').argParser(featureGates))
    .option(
      '--admission-control-config-file <file>',
      'an AdmissionConfiguration: what nobody may use without a quota (limitedResources of ResourceQuota)',
    );
}

/** Authorization and admission plugins. */
function addAccessFlags(command: Command): Command {
  return command
    .option('--enable-admission-plugins <list>', enablePluginsHelp(), words, [])
    .option('--disable-admission-plugins <list>', disablePluginsHelp(), words, [])
    .option('--token-auth-file <file>', 'static tokens: lines of token,user,uid,"group1,group2"')
    .addOption(
      new Option(
        '--anonymous-auth [bool]',
        'let requests without credentials in as system:anonymous (default: unless all is allowed)',
      ).argParser(flag),
    )
    .addOption(
      new Option(
        '--authorization-mode <list>',
        'who says who may do what, in this order: RBAC, Webhook, AlwaysAllow, AlwaysDeny (default: RBAC)',
      ).argParser(modes),
    );
}

/** Controllers, faults, services of webhooks, logs. */
function addRunningFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--controllers <list>',
        "controllers to run: '*' is all, 'foo' one more, '-foo' one less (default: *); '+simulate' plays the rest of a cluster, '+csrsigning' signs certificates",
      ).argParser(controllers),
    )
    .addOption(
      new Option('--console [bool]', 'serve the web console at /console/ (default: true)').argParser(flag),
    )
    .option('--fault-injection', 'let clients add rules for what goes wrong, at /ilk/v1/faults', false)
    .option(
      '--service <mapping>',
      'where a service of webhooks listens: namespace/name:port=https://host:port; repeatable',
      serviceFlag,
      {},
    )
    .addOption(
      new Option('--log-format <format>', 'how log lines on stderr look')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option(
      '--slow-request-threshold <ms>',
      'log requests that take so many milliseconds or more; 0 logs none',
      count,
      1000,
    )
    .option('-v, --v <level>', 'how much to log', count, 0);
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
];

/** `ilk serve`: flags have kube-apiserver's names and meanings where it has them. */
export function serveCommand(): Command {
  const command = new Command('serve').description('serve the Kubernetes API for your own kinds');
  return flagGroups
    .reduce((all, add) => add(all), command)
    .helpOption('-h, --help', 'this help')
    .action((options: ServeOptions, self: Command) => {
      warnOf(flagsWithoutEffect(self));
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
