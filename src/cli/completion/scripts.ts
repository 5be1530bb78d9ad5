import type { Command, Option } from 'commander';

/** A script for a shell, from what the commands say of themselves. */
type CompletionScript = (program: Command) => string;

/** Every shell; a new one is a function and a line here. */
export const completionScripts: ReadonlyMap<string, CompletionScript> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]);

const visible = (command: Command): Option[] => command.options.filter(({ hidden }) => !hidden);

/** Words for each command and each flag with a choice; files elsewhere. */
function bash(program: Command): string {
  const flags = program.commands.map(
    (command) => `    ${command.name()}) words='${flagsOf(command).join(' ')}' ;;`,
  );
  const choices = program.commands.flatMap((command) => {
    const first = firstWords(command);
    const after: readonly (readonly [string, readonly string[]])[] =
      first.length === 0 ? choicesOf(command) : [[command.name(), first], ...choicesOf(command)];
    return after.map(([word, values]) => `    ${command.name()}:${word}) words='${values.join(' ')}' ;;`);
  });
  const names = program.commands.map((command) => command.name()).join(' ');
  return `# Completes command lines of ilk in bash: source <(ilk completion bash)
_ilk() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names} --help --version' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}:$before" in
${choices.join('\n')}
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${flags.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _ilk ilk
`;
}

/** zsh understands what is written for bash. */
function zsh(program: Command): string {
  return `autoload -U +X compinit bashcompinit && compinit -u && bashcompinit\n${bash(program)}`;
}

function fish(program: Command): string {
  const lines = program.commands.flatMap((command) => {
    const within = `-n '__fish_seen_subcommand_from ${command.name()}'`;
    return [
      `complete -c ilk -n __fish_use_subcommand -f -a ${command.name()} -d ${quoted(command.description())}`,
      ...firstWords(command).map((word) => `complete -c ilk ${within} -f -a ${word}`),
      ...visible(command).map((option) => {
        const long = (option.long ?? '').replace(/^--/, '');
        const short = option.short === undefined ? '' : ` -s ${option.short.slice(1)}`;
        const values = option.argChoices === undefined ? '' : ` -x -a ${quoted(option.argChoices.join(' '))}`;
        return `complete -c ilk ${within}${short} -l ${long}${values} -d ${quoted(option.description)}`;
      }),
    ];
  });
  return `# Completes command lines of ilk in fish: ilk completion fish | source\n${lines.join('\n')}\n`;
}

/** What may come right after a command: its own commands, or the choices of its argument. */
function firstWords(command: Command): readonly string[] {
  if (command.commands.length > 0) return command.commands.map((one) => one.name());
  return command.registeredArguments[0]?.argChoices ?? [];
}

function flagsOf(command: Command): string[] {
  const flags = [command, ...command.commands].flatMap(visible).flatMap(({ long }) => long ?? []);
  return [...new Set([...flags, '--help'])];
}

function choicesOf(command: Command): [string, readonly string[]][] {
  return visible(command).flatMap(({ long, short, argChoices }) =>
    argChoices === undefined
      ? []
      : [long, short].flatMap((flag) =>
          flag === undefined ? [] : [[flag, argChoices] satisfies [string, readonly string[]]],
        ),
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
