import type { Command, Option } from 'commander';
import { firstWords, flagsOf, spellingsOf, takesValue } from './words.ts';

/** Works sourced, and as a file `_ilk` in a folder of `fpath`. */
export function zsh(program: Command): string {
  const names = program.commands.map(
    (command) => `    ${quoted(`${escaped(command.name())}:${command.description()}`)}`,
  );
  return `#compdef ilk
# Completes command lines of ilk in zsh: source <(ilk completion zsh)
_ilk() {
  local -a commands=(
${names.join('\n')}
  )
  local context state state_descr line
  typeset -A opt_args
  _arguments -S ${flagsOf(program).flatMap(specsOf).join(' ')} '1: :->command' '*:: :->words' && return
  if [[ $state == command ]]; then
    _describe command commands
    return
  fi
  case $words[1] in
${program.commands.map(caseOf).join('\n')}
  esac
}
if [[ $funcstack[1] == _ilk ]]; then
  _ilk "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _ilk ilk
fi
`;
}

function caseOf(command: Command): string {
  const first = firstWords(command);
  const rest =
    first.length === 0 ? [`'*:file:_files'`] : [quoted(`1: :(${first.join(' ')})`), `'*:file:_files'`];
  const specs = [...flagsOf(command).flatMap(specsOf), ...rest];
  return [
    `    ${command.name()})`,
    `      _arguments -S \\`,
    `        ${specs.join(' \\\n        ')} ;;`,
  ].join('\n');
}

/** What `_arguments` takes for a flag; one with a value may be repeated. */
function specsOf(flag: Option): string[] {
  const choices = flag.argChoices === undefined ? '_files' : `(${flag.argChoices.join(' ')})`;
  return spellingsOf(flag).map((name) => {
    if (!takesValue(flag)) return quoted(`${name}[${escaped(flag.description)}]`);
    const equals = name.startsWith('--') ? '=' : '';
    return quoted(`*${name}${equals}[${escaped(flag.description)}]: :${choices}`);
  });
}

const escaped = (text: string): string => text.replaceAll(/[\\[\]:]/g, '\\$&');

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
