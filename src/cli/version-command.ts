import { Command } from 'commander';
import { versionInfo } from '../http/index.ts';

/** `ilk version` */
export function versionCommand(): Command {
  return new Command('version').description('print the version').action(() => {
    process.stdout.write(
      `ilk, serving the API of Kubernetes ${versionInfo.gitVersion} on ${versionInfo.goVersion}\n`,
    );
  });
}
