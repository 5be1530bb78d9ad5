import type { Command } from 'commander';

/** Flags about a storage that was not chosen. */
const aboutEtcd = [
  'etcdPrefix',
  'etcdCafile',
  'etcdCertfile',
  'etcdKeyfile',
  'etcdUsername',
  'etcdPasswordFile',
];

/** The flags of a command line that were accepted and change nothing, as somebody types them. */
export function flagsWithoutEffect(command: Command): string[] {
  const hasEtcd = command.getOptionValue('etcdServers') !== undefined;
  const names = new Set(hasEtcd ? [] : aboutEtcd);
  return command.options
    .filter((option) => names.has(option.attributeName()) && isGiven(command, option.attributeName()))
    .map((option) => option.long ?? option.flags);
}

function isGiven(command: Command, name: string): boolean {
  return command.getOptionValueSource(name) === 'cli';
}
