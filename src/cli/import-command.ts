import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { LoadError, type LoadedObject, loadObjects, standardInput } from '../manifests/index.ts';
import { startServerInside } from '../server.ts';
import { Importer } from './import/importer.ts';

interface ImportFlags {
  readonly dataDir: string;
  readonly status: boolean;
}

/** `ilk import`: manifests into a data directory. */
export function importCommand(): Command {
  return new Command('import')
    .description('create or replace objects of manifests in a data directory that no server is at work on')
    .argument('[paths...]', 'files or folders; `-` or nothing reads standard input')
    .option('--data-dir <dir>', 'the data directory; made if it is missing', './ilk-data')
    .option('--no-status', 'leave out the status of objects')
    .addOption(new Option('--with-status', 'the default').hideHelp())
    .action(run);
}

/** Nothing is collected meanwhile: owners may come after what they own. */
async function run(paths: readonly string[], { dataDir, status }: ImportFlags): Promise<void> {
  const objects: LoadedObject[] = [];
  for (const path of paths.length === 0 ? [standardInput] : paths) objects.push(...(await loadObjects(path)));
  const { server, registry, user } = await startServerInside({
    storage: { kind: 'sqlite', dataDir: resolve(dataDir) },
    listen: false,
    disableControllers: ['garbage-collector', 'namespace'],
  });
  try {
    const importer = new Importer(registry, { user, withStatus: status });
    const { imported, troubles, warnings } = await importer.run(objects);
    for (const text of [...warnings, ...troubles]) process.stderr.write(`ilk: ${text}\n`);
    process.stderr.write(`ilk: imported ${imported} of ${objects.length} objects\n`);
    if (troubles.length > 0) throw new LoadError('not everything could be imported');
  } finally {
    await server.close();
  }
}
