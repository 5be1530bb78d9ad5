import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import {
  type CopyProgress,
  copyStore,
  openEtcdStore,
  openSqliteStore,
  type Store,
} from '../storage/index.ts';
import { addEtcdAccessFlags, type EtcdFlags, etcdStorage, etcdUrls } from './etcd-flags.ts';

interface MigrateFlags extends EtcdFlags {
  readonly from?: string;
  readonly fromEtcd?: readonly string[];
  readonly to?: string;
  readonly toEtcd?: readonly string[];
  readonly raiseRevisions: boolean;
  readonly overwrite?: boolean;
}

/** `ilk migrate`: everything from a data directory into an etcd, or back. */
export function migrateCommand(): Command {
  const command = new Command('migrate')
    .description(
      'copy every object from a data directory into an etcd or back; no server may be at work on either',
    )
    .option('--from <dir>', 'the data directory to copy')
    .addOption(new Option('--from-etcd <urls>', 'the etcd to copy').argParser(etcdUrls))
    .option('--to <dir>', 'the data directory to fill')
    .addOption(new Option('--to-etcd <urls>', 'the etcd to fill').argParser(etcdUrls))
    .option(
      '--overwrite',
      'replace what the target has; without it only an empty target, or one half filled, is taken',
    )
    .option(
      '--no-raise-revisions',
      'do not lift resourceVersions above the old ones: clients must list again',
    );
  return addEtcdAccessFlags(command).action(migrate);
}

const root = '/registry/';

async function migrate(flags: MigrateFlags): Promise<void> {
  if (sides(flags.from, flags.fromEtcd) !== 1 || sides(flags.to, flags.toEtcd) !== 1) {
    throw new Error('say where from (--from or --from-etcd) and where to (--to or --to-etcd)');
  }
  if (sides(flags.fromEtcd, flags.toEtcd) !== 1) {
    throw new Error('one side is a data directory and the other one an etcd');
  }
  const from = await open(flags, flags.from, flags.fromEtcd);
  try {
    const to = await open(flags, flags.to, flags.toEtcd);
    try {
      await copy(from, to, flags);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

const sides = (...given: unknown[]): number => given.filter((one) => one !== undefined).length;

async function open(
  flags: MigrateFlags,
  dataDir: string | undefined,
  urls: readonly string[] | undefined,
): Promise<Store> {
  if (dataDir !== undefined) return openSqliteStore({ dataDir: resolve(dataDir) });
  const { prefix = '/registry', endpoints, tls, user } = await etcdStorage(urls ?? [], flags);
  return openEtcdStore({ endpoints, prefix, root: '/registry', ...(tls && { tls }), ...(user && { user }) });
}

async function copy(
  from: Store,
  to: Store,
  { raiseRevisions, overwrite = false }: MigrateFlags,
): Promise<void> {
  const onProgress = eachSecond((progress) => say(`${progress.step}: ${progress.done} of ${progress.total}`));
  const result = await copyStore(from, to, { root, raiseRevisions, overwrite, onProgress });
  const again = result.alreadyThere === 0 ? '' : `, ${result.alreadyThere} of which were there already`;
  say(`copied and verified ${result.records} objects${again}`);
  const [before, after] = [result.revision, result.targetRevision];
  if (after >= before) say(`resourceVersions go on from ${after}, above the old ${before}`);
  else say(`resourceVersions start over at ${after}, below the old ${before}: restart every client`);
}

function say(text: string): void {
  process.stderr.write(`ilk: ${text}\n`);
}

/** The first one at once, then one each second. */
function eachSecond(tell: (progress: CopyProgress) => void): (progress: CopyProgress) => void {
  let toldMs = 0;
  let step = '';
  return (progress) => {
    if (progress.step === step && Date.now() - toldMs < 1_000) return;
    toldMs = Date.now();
    step = progress.step;
    tell(progress);
  };
}
