import { type Command, InvalidArgumentError, Option } from 'commander';
import type { EtcdStorageOptions } from '../server.ts';
import { parseDuration } from './duration.ts';
import { readFlagFile } from './flag-file.ts';

/** The flags that say where an etcd is, as commander names them. */
export interface EtcdFlags {
  readonly etcdServers?: readonly string[];
  readonly etcdPrefix: string;
  readonly etcdCafile?: string;
  readonly etcdCertfile?: string;
  readonly etcdKeyfile?: string;
  readonly etcdUsername?: string;
  readonly etcdPasswordFile?: string;
}

/** Addresses with commas between. */
export function etcdUrls(text: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), ...text.split(',').filter((url) => url !== '')];
}

/** Adds kube-apiserver's flags about etcd. */
export function addEtcdFlags(command: Command): Command {
  const servers = new Option('--etcd-servers <urls>', 'keep objects in this etcd: https://host:2379,...');
  return addEtcdAccessFlags(command.addOption(servers.argParser(etcdUrls)));
}

/** How to get into an etcd, and where in it: kube-apiserver's flags, and two for users of etcd, which it has not. */
export function addEtcdAccessFlags(command: Command): Command {
  return command
    .option('--etcd-prefix <prefix>', 'what every key in etcd begins with', '/registry')
    .option('--etcd-cafile <file>', "the authority that signed etcd's certificates")
    .option('--etcd-certfile <file>', 'the certificate to show to etcd')
    .option('--etcd-keyfile <file>', 'the key of --etcd-certfile')
    .option('--etcd-username <name>', 'the user of etcd to be')
    .option('--etcd-password-file <file>', 'a file that holds nothing but the password of --etcd-username');
}

/** How often the past is forgotten. */
export function compactionIntervalOption(): Option {
  const flag = '--etcd-compaction-interval <duration>';
  return new Option(flag, 'how often the past is forgotten; 0 leaves that to others')
    .argParser(duration)
    .default(300_000, '5m0s');
}

function duration(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * The etcd that flags name, with what the files hold that they name.
 *
 * @throws where a file cannot be read, and for flags that need each other
 */
export async function etcdStorage(
  endpoints: readonly string[],
  flags: EtcdFlags,
): Promise<EtcdStorageOptions> {
  const { etcdCafile, etcdCertfile, etcdKeyfile, etcdPrefix } = flags;
  if ((etcdCertfile === undefined) !== (etcdKeyfile === undefined)) {
    throw new Error('--etcd-certfile and --etcd-keyfile need each other');
  }
  const [caPem, certPem, keyPem] = await Promise.all([
    readIfGiven('--etcd-cafile', etcdCafile),
    readIfGiven('--etcd-certfile', etcdCertfile),
    readIfGiven('--etcd-keyfile', etcdKeyfile),
  ]);
  const tls = {
    ...(caPem !== undefined && { caPem }),
    ...(certPem !== undefined && { certPem }),
    ...(keyPem !== undefined && { keyPem }),
  };
  const user = await etcdUser(flags);
  return {
    kind: 'etcd',
    endpoints,
    prefix: etcdPrefix,
    ...(Object.keys(tls).length > 0 && { tls }),
    ...(user && { user }),
  };
}

async function etcdUser({ etcdUsername, etcdPasswordFile }: EtcdFlags) {
  if (etcdUsername === undefined && etcdPasswordFile === undefined) return undefined;
  if (etcdUsername === undefined || etcdPasswordFile === undefined) {
    throw new Error('--etcd-username and --etcd-password-file need each other');
  }
  const text = await readFlagFile('--etcd-password-file', etcdPasswordFile);
  return { name: etcdUsername, password: text.replace(/\r?\n$/, '') };
}

async function readIfGiven(flag: string, path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : readFlagFile(flag, path);
}
