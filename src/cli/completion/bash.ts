import type { Command } from 'commander';
import { firstWords, flagsOf, spellingsOf } from './words.ts';

/** Words for each command and each flag with a choice; files elsewhere. */
export function bash(program: Command): string {
  const names = program.commands.map((command) => command.name()).join(' ');
  return `# Completes command lines of ilk in bash: source <(ilk completion bash)
_ilk() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=
  # To bash, --flag=value is three words.
  if [ "$current" = = ]; then
    current=
  elif [ "$before" = = ]; then
    before=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names} ${wordsOf(program)}' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}:$before" in
${program.commands.flatMap(choicesOf).join('\n')}
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${program.commands.map((command) => `    ${command.name()}) words='${wordsOf(command)}' ;;`).join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _ilk ilk
`;
}

const wordsOf = (command: Command): string =>
  flagsOf(command)
    .flatMap(({ long }) => long ?? [])
    .join(' ');

/** The completions after the command itself, and after its flags. */
function choicesOf(command: Command): string[] {
  const flags = flagsOf(command).flatMap((flag) =>
    spellingsOf(flag).map((name) => [name, flag.argChoices ?? []] as const),
  );
  const after = [[command.name(), firstWords(command)] as const, ...flags];
  return after
    .filter(([, values]) => values.length > 0)
    .map(([word, values]) => `    ${command.name()}:${word}) words='${values.join(' ')}' ;;`);
}
