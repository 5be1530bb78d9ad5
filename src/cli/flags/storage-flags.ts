import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type DriverFlag,
  driverOf,
  drivers,
  type FlagValues,
  type StorageOptions,
} from '../../storage/index.ts';
import { durationOption } from './duration.ts';
import { readFlagFile } from './flag-file.ts';

/** The flags of all drivers, and `--storage` for those without an address. */
export function addStorageFlags(command: Command): Command {
  const kinds = drivers.filter(({ addressFlag }) => addressFlag === undefined).map(({ kind }) => kind);
  const addresses = drivers.flatMap(({ addressFlag }) => addressFlag ?? []);
  const named = addresses.map(({ form }) => nameOf(form)).join(' and ');
  command.addOption(
    new Option(
      '--storage <kind>',
      `where the server stores objects, unless ${named} is given (default: sqlite)`,
    ).choices(kinds),
  );
  for (const flag of addresses) command.addOption(optionOf(flag));
  return addAccessFlags(command);
}

/** The credential and prefix flags of all drivers. */
export function addAccessFlags(command: Command): Command {
  for (const { flags } of drivers) for (const flag of flags) command.addOption(optionOf(flag));
  return command;
}

/**
 * The selected storage: the driver whose address is given, otherwise the data directory.
 *
 * @throws if a file cannot be read, and for flags that require or exclude each other
 */
export async function storageOf(flags: FlagValues, dataDir: string): Promise<StorageOptions> {
  const chosen = drivers.flatMap((driver) => {
    const { form } = driver.addressFlag ?? {};
    const address = form === undefined ? undefined : addressOf(flags, form);
    return form === undefined || address === undefined ? [] : [{ driver, form, address }];
  });
  const given = typeof flags['storage'] === 'string' ? flags['storage'] : undefined;
  const names = [...(given === undefined ? [] : ['--storage']), ...chosen.map(({ form }) => nameOf(form))];
  if (names.length > 1) {
    throw new Error(`${names.join(' and ')} exclude each other: objects are kept in one place`);
  }
  const [one] = chosen;
  if (one !== undefined) return one.driver.fromFlags(one.address, flags, readFlagFile);
  return driverOf(given ?? 'sqlite').fromFlags(dataDir, flags, readFlagFile);
}

/** `--etcd-servers <urls>` -> `--etcd-servers` */
const nameOf = (form: string): string => form.split(' ')[0] ?? form;

/** Undefined if the flag is absent or empty. */
function addressOf(flags: FlagValues, form: string): string | readonly string[] | undefined {
  const value = flags[new Option(form).attributeName()];
  if (Array.isArray(value) && value.length > 0) return value.map(String);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Declares a flag for commander. */
function optionOf({ form, help, kind = 'text', default: value }: DriverFlag): Option {
  const option = new Option(form, help);
  if (kind === 'list') option.argParser(listed);
  if (kind === 'count') option.argParser(count);
  return value === undefined ? option : option.default(value);
}

/** Addresses separated by commas, in one flag or several. */
export function listed(text: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), ...text.split(',').filter((url) => url !== '')];
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('not a number.');
  return value;
}

/** The compaction interval. */
export function compactionIntervalOption(): Option {
  const flag = '--etcd-compaction-interval <duration>';
  const help =
    'interval between compactions of etcd or PostgreSQL history; 0 disables compaction by this server';
  return durationOption(flag, help, '5m0s');
}
