import type { Command, Option } from 'commander';
import { firstWords, flagsOf, takesValue } from './words.ts';

/** A line for each command and each flag. */
export function fish(program: Command): string {
  const lines = program.commands.flatMap((command) => {
    const within = `-n '__fish_seen_subcommand_from ${command.name()}'`;
    return [
      `complete -c ilk -n __fish_use_subcommand -f -a ${command.name()} -d ${quoted(command.description())}`,
      ...firstLines(command),
      ...flagsOf(command).map((flag) => `complete -c ilk ${within} ${flagWords(flag)}`),
    ];
  });
  const own = flagsOf(program).map((flag) => `complete -c ilk -n __fish_use_subcommand ${flagWords(flag)}`);
  const start = '# Completes command lines of ilk in fish: ilk completion fish | source';
  return `${[start, ...own, ...lines].join('\n')}\n`;
}

/** The words of a command come once, and no file in their place. */
function firstLines(command: Command): string[] {
  const words = firstWords(command);
  if (words.length === 0) return [];
  const [seen, all] = ['__fish_seen_subcommand_from', words.join(' ')];
  return [`complete -c ilk -n '${seen} ${command.name()}; and not ${seen} ${all}' -f -a '${all}'`];
}

function flagWords(flag: Option): string {
  const { short, long = '', argChoices, description } = flag;
  const names = `${short === undefined ? '' : `-s ${short.slice(1)} `}-l ${long.slice(2)}`;
  const value = argChoices === undefined ? '-r ' : `-x -a ${quoted(argChoices.join(' '))} `;
  return `${names} ${takesValue(flag) ? value : ''}-d ${quoted(description)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
