import type { FlagValues, ReadFlagFile } from './driver.ts';

/** The text of a flag; undefined where it was not given. */
export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** The number of a flag; undefined where it was not given. */
export function countFlag(flags: FlagValues, name: string): number | undefined {
  const value = flags[name];
  return typeof value === 'number' ? value : undefined;
}

/** What the file holds that a flag names; undefined where it was not given. `etcdCafile` is `--etcd-cafile`. */
export async function fileFlag(
  flags: FlagValues,
  name: string,
  readFile: ReadFlagFile,
): Promise<string | undefined> {
  const path = textFlag(flags, name);
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return path === undefined ? undefined : readFile(flag, path);
}

/** The password in the file that a flag names, without the end of its line. */
export async function passwordFlag(
  flags: FlagValues,
  name: string,
  readFile: ReadFlagFile,
): Promise<string | undefined> {
  return (await fileFlag(flags, name, readFile))?.replace(/\r?\n$/, '');
}

/** The text of an address; several are separated by commas. */
export const addressText = (address: string | readonly string[]): string =>
  typeof address === 'string' ? address : address.join(',');

/** The addresses in a list of them. */
export const addressList = (address: string | readonly string[]): readonly string[] =>
  typeof address === 'string' ? address.split(',').filter((one) => one !== '') : address;
