import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { findKubectl, writeAssets } from '../envtest/write-assets.ts';

/** The bundled programs are beside the folder of the bundle. */
const programs = fileURLToPath(new URL('../bin/', import.meta.url));

/** `ilk envtest-assets`: installs Ilk in place of the binaries that envtest and similar harnesses start. */
export function envtestAssetsCommand(): Command {
  return new Command('envtest-assets')
    .description('write a directory for KUBEBUILDER_ASSETS, with Ilk in place of kube-apiserver and etcd')
    .argument('<folder>', 'the folder to fill')
    .option('--kubectl <file>', 'kubectl to link to (default: the first on the PATH)')
    .action(run);
}

async function run(target: string, { kubectl }: { readonly kubectl?: string }): Promise<void> {
  const folder = resolve(target);
  await writeAssets(folder, {
    node: process.execPath,
    programs,
    kubectl: kubectl === undefined ? await findKubectl(process.env['PATH'] ?? '') : resolve(kubectl),
  });
  process.stdout.write(`export KUBEBUILDER_ASSETS=${folder}\n`);
}
