import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { versionInfo } from '../../http/index.ts';
import { packageFile } from '../package-file.ts';

/** `ilk 0.1.0, serving the API of Kubernetes v1.37.0+ilk on node22.0.0` */
export function versionText(): string {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(packageFile, 'utf8'));
  return `ilk ${version}, serving the API of Kubernetes ${versionInfo.gitVersion} on ${versionInfo.goVersion}`;
}

/** `ilk version` */
export function versionCommand(): Command {
  return new Command('version').description('print the version').action(() => {
    process.stdout.write(`${versionText()}\n`);
  });
}
