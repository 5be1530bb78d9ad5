import { withoutIgnoredFlags } from './commands/serve-command.ts';
import { program } from './program.ts';

/** Runs a command line; an error prints one line on stderr, with exit code 1. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    const asksVersion = args.length === 1 && (args[0] === '--version' || args[0] === '-V');
    const wanted = asksVersion ? ['version'] : withoutIgnoredFlags(args);
    await program().parseAsync(wanted, { from: 'user' });
    process.exit();
  } catch (error) {
    process.stderr.write(`ilk: ${oneLine(error)}\n`);
    process.exit(process.exitCode ?? 1);
  }
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EADDRINUSE')
    return `the port is in use: ${text}: --secure-port takes another one, 0 a free one`;
  return text.replaceAll('\n', ' ');
}
