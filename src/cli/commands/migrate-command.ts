import { Command, Option } from 'commander';
import { isBoundToKey } from '../../encryption/index.ts';
import {
  type CopyProgress,
  copyStore,
  drivers,
  type FlagValues,
  type OpenedStore,
  openDriver,
  type Store,
  StoreError,
  transformedStore,
} from '../../storage/index.ts';
import { readFlagFile } from '../flags/flag-file.ts';
import { addAccessFlags } from '../flags/storage-flags.ts';

interface MigrateFlags extends FlagValues {
  readonly raiseRevisions: boolean;
  readonly overwrite?: boolean;
}

/** The storage drivers that can be copied. */
const sources = drivers.flatMap(({ migrate, ...driver }) =>
  migrate === undefined ? [] : [{ ...driver, migrate }],
);

/** `ilk migrate`: copies a storage into another one. */
export function migrateCommand(): Command {
  const names = sources.map(({ migrate }) => migrate.what.replace(/^the /, '')).join(', ');
  const command = new Command('migrate').description(
    `copy every object from one store into another (${names}); no server may be running on either`,
  );
  for (const { suffix, form, what } of sources.map(({ migrate }) => migrate)) {
    command.addOption(new Option(`--from${suffix} ${form}`, `${what} to copy`));
    command.addOption(new Option(`--to${suffix} ${form}`, `${what} to fill`));
  }
  command
    .option(
      '--overwrite',
      'replace the objects of the target; without it, the target must be empty or partly migrated',
    )
    .option(
      '--no-raise-revisions',
      'do not raise resourceVersions above those of the source: clients must list again',
    );
  return addAccessFlags(command).action(migrate);
}

const root = '/registry';

async function migrate(flags: MigrateFlags): Promise<void> {
  const [source, target] = [sideOf(flags, 'from'), sideOf(flags, 'to')];
  // Both sides are opened with the same flags, which describe one database of each driver.
  if (source.driver === target.driver) throw new Error('the two sides must be different kinds of storage');
  const from = await open(source, flags);
  try {
    const to = await open(target, flags);
    try {
      await copy(refusingBoundValues(from, to), to.store, flags);
    } finally {
      await to.store.close();
    }
  } finally {
    await from.store.close();
  }
}

interface Side {
  readonly driver: (typeof sources)[number];
  readonly address: string;
}

/** The store that a side names. @throws if none or several are named */
function sideOf(flags: FlagValues, side: 'from' | 'to'): Side {
  const given = sources.flatMap((driver) => {
    const { suffix, form } = driver.migrate;
    const value = flags[new Option(`--${side}${suffix} ${form}`).attributeName()];
    return typeof value === 'string' ? [{ driver, address: value }] : [];
  });
  const [one, ...more] = given;
  if (one !== undefined && more.length === 0) return one;
  const all = sources.map(({ migrate: { suffix } }) => `--${side}${suffix}`).join(', ');
  throw new Error(`say where ${side}: one of ${all}`);
}

async function open({ driver, address }: Side, flags: FlagValues): Promise<OpenedStore> {
  const options = await driver.fromFlags(address, flags, readFlagFile);
  return openDriver(options, { root, onTrouble: () => {} });
}

/**
 * The source, which refuses values encrypted for a key that they would not have in the target: nothing could
 * decrypt the copy.
 */
function refusingBoundValues(from: OpenedStore, to: OpenedStore): Store {
  const placeIn = ({ keyInDatabase }: OpenedStore, key: string) => keyInDatabase?.(key) ?? key;
  return transformedStore(from.store, {
    read(value, key) {
      const [before, after] = [placeIn(from, key), placeIn(to, key)];
      if (before === after || !isBoundToKey(value)) return value;
      const text = `${before} is encrypted by aesgcm or kms, which bind a value to its key, and would be ${after}: give --etcd-prefix /registry, or write it with another provider first`;
      throw new StoreError('refused', text);
    },
    write: (value) => value,
  });
}

async function copy(
  from: Store,
  to: Store,
  { raiseRevisions, overwrite = false }: MigrateFlags,
): Promise<void> {
  const onProgress = eachSecond((progress) => say(`${progress.step}: ${progress.done} of ${progress.total}`));
  const result = await copyStore(from, to, { root: `${root}/`, raiseRevisions, overwrite, onProgress });
  const again = result.alreadyThere === 0 ? '' : `, ${result.alreadyThere} of which were there already`;
  say(`copied and verified ${result.records} objects${again}`);
  const [before, after] = [result.revision, result.targetRevision];
  if (after >= before) say(`resourceVersions go on from ${after}, above the old ${before}`);
  else say(`resourceVersions start over at ${after}, below the old ${before}: restart every client`);
}

function say(text: string): void {
  process.stderr.write(`ilk: ${text}\n`);
}

/** Prints the first one at once, then one per second. */
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
