import { Command } from 'commander';
import { diffCommand } from './diff-command.ts';
import { envtestAssetsCommand } from './envtest-assets-command.ts';
import { exportCommand } from './export-command.ts';
import { importCommand } from './import-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { serveCommand, withoutIgnoredFlags } from './serve-command.ts';
import { snapshotCommand } from './snapshot-command.ts';
import { typesCommand } from './types-command.ts';
import { validateCommand } from './validate-command.ts';
import { versionCommand } from './version-command.ts';

/** Every command; a new one is a file and a line here. */
function program(): Command {
  return new Command('ilk')
    .description('an API server for custom resources: the Kubernetes API, without a cluster')
    .addCommand(serveCommand())
    .addCommand(validateCommand())
    .addCommand(diffCommand())
    .addCommand(typesCommand())
    .addCommand(exportCommand())
    .addCommand(importCommand())
    .addCommand(snapshotCommand())
    .addCommand(envtestAssetsCommand())
    .addCommand(migrateCommand())
    .addCommand(versionCommand())
    .showHelpAfterError('(ilk --help shows what there is)');
}

/** Runs a command line; whatever fails ends in one line on stderr and exit code 1. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(withoutIgnoredFlags(args), { from: 'user' });
    process.exit();
  } catch (error) {
    process.stderr.write(`ilk: ${oneLine(error)}\n`);
    process.exit(process.exitCode ?? 1);
  }
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EADDRINUSE') return `the port is in use: ${text}`;
  return text.replaceAll('\n', ' ');
}
