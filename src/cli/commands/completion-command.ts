import { Argument, Command } from 'commander';
import { completionScripts } from '../completion/scripts.ts';

/** `ilk completion bash`: prints a completion script for a shell. */
export function completionCommand(program: Command): Command {
  const shells = [...completionScripts.keys()];
  return new Command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      '\nbash: source <(ilk completion bash)\nzsh:  source <(ilk completion zsh)\nfish: ilk completion fish | source',
    )
    .action((shell: string) => {
      process.stdout.write(completionScripts.get(shell)?.(program) ?? '');
    });
}
