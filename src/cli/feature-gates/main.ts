import { Command } from 'commander';
import { connectionOptions, KubectlError } from './kubectl.ts';
import { listCommand } from './list-command.ts';
import { turnCommand } from './turn-command.ts';
import { withConnectionLast } from './connection-last.ts';

const help = `
What the list can be narrowed to and how it is printed: kubectl feature-gates list --help.
Flags about the server, such as --context and --kubeconfig, are those of kubectl.`;

/** The kubectl plugin; `list` is the default command. */
function program(): Command {
  return new Command('kubectl feature-gates')
    .description('list the feature gates on fields of custom resources (KEP-2608), and turn them')
    .usage('[CRD...] [flags] | enable CRD GATE | disable CRD GATE | reset CRD GATE')
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(turnCommand('enable'))
    .addCommand(turnCommand('disable'))
    .addCommand(turnCommand('reset'))
    .addHelpText('after', help)
    .showHelpAfterError('(kubectl feature-gates --help shows what there is)');
}

/** Runs a command line; an error prints one line on stderr, with kubectl's exit code or 1. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(withConnectionLast(args, connectionOptions()), { from: 'user' });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    process.stderr.write(`error: ${text.replaceAll('\n', ' ')}\n`);
    process.exitCode = error instanceof KubectlError ? error.exitCode : 1;
  }
}
