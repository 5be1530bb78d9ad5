import type { Command, Option } from 'commander';

/** A completion script for a shell, generated from the commands. */
export type CompletionScript = (program: Command) => string;

/** The flags of a command, once each; of one that has commands of its own, theirs too. `--help` is the last. */
export function flagsOf(command: Command): Option[] {
  // The commands of the program itself have lines of their own.
  const within = command.parent === null ? [] : command.commands;
  const flags = [command, ...within].flatMap(visibleFlags);
  const help = command.createOption('-h, --help', 'display help for command');
  return [...new Map([...flags, help].map((flag) => [flag.long ?? flag.short, flag])).values()];
}

function visibleFlags(command: Command): Option[] {
  return command.options.filter(({ hidden, long }) => !hidden && long !== undefined);
}

/** `-o` and `--output`. */
export function spellingsOf({ short, long }: Option): string[] {
  return [short, long].filter((name) => name !== undefined);
}

/** The words that may follow a command: its subcommands, or the choices of its argument. */
export function firstWords(command: Command): readonly string[] {
  if (command.commands.length > 0) return command.commands.map((one) => one.name());
  return command.registeredArguments[0]?.argChoices ?? [];
}

/** True where a flag is followed by a value. */
export function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}
