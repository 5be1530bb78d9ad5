import type { Command } from 'commander';

/** Flags of a storage that was not selected. */
const aboutEtcd = [
  'etcdPrefix',
  'etcdCafile',
  'etcdCertfile',
  'etcdKeyfile',
  'etcdUsername',
  'etcdPasswordFile',
];

/** The accepted flags of a command line that have no effect, as users type them. */
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
