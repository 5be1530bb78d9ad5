import { Command } from 'commander';
import { backupCommand } from './commands/backup-command.ts';
import { consoleCommand } from './commands/console-command.ts';
import { diffCommand } from './commands/diff-command.ts';
import { envtestAssetsCommand } from './commands/envtest-assets-command.ts';
import { exportCommand } from './commands/export-command.ts';
import { importCommand } from './commands/import-command.ts';
import { migrateCommand } from './commands/migrate-command.ts';
import { restoreCommand } from './commands/restore-command.ts';
import { serveCommand } from './commands/serve-command.ts';
import { snapshotCommand } from './commands/snapshot-command.ts';
import { testCommand } from './commands/test-command.ts';
import { typesCommand } from './commands/types-command.ts';
import { validateCommand } from './commands/validate-command.ts';
import { completionCommand } from './commands/completion-command.ts';
import { userCommand } from './commands/user-command.ts';
import { versionCommand } from './commands/version-command.ts';

/** All commands; a new one is a file and a line here. */
export function program(): Command {
  const all = new Command('ilk');
  return all
    .description('an API server for custom resources: the Kubernetes API, without a cluster')
    .option('-V, --version', 'print the version')
    .addCommand(serveCommand())
    .addCommand(validateCommand())
    .addCommand(testCommand())
    .addCommand(diffCommand())
    .addCommand(typesCommand())
    .addCommand(exportCommand())
    .addCommand(importCommand())
    .addCommand(snapshotCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(envtestAssetsCommand())
    .addCommand(migrateCommand())
    .addCommand(userCommand())
    .addCommand(consoleCommand())
    .addCommand(versionCommand())
    .addCommand(completionCommand(all))
    .showHelpAfterError('(ilk --help shows what there is)');
}
