import { resolve } from 'node:path';
import { Command } from 'commander';
import { LoadError, type LoadedObject, loadObjects, standardInput } from '../manifests/index.ts';
import { startServer } from '../server.ts';
import { ApiClient } from './api-client.ts';
import { Importer } from './import/importer.ts';

interface ImportFlags {
  readonly dataDir: string;
  readonly withStatus: boolean;
}

/** `ilk import`: manifests into a data directory. */
export function importCommand(): Command {
  return new Command('import')
    .description('create or replace objects of manifests in a data directory that no server is at work on')
    .argument('[paths...]', 'files or folders; `-` or nothing reads standard input')
    .option('--data-dir <dir>', 'the data directory; made if it is missing', './ilk-data')
    .option('--with-status', 'write the status of objects, too, which a create ignores', false)
    .action(run);
}

/** Nothing is collected meanwhile: owners may come after what they own. */
async function run(paths: readonly string[], { dataDir, withStatus }: ImportFlags): Promise<void> {
  const objects: LoadedObject[] = [];
  for (const path of paths.length === 0 ? [standardInput] : paths) objects.push(...(await loadObjects(path)));
  await using server = await startServer({
    storage: { kind: 'sqlite', dataDir: resolve(dataDir) },
    listen: false,
    disableControllers: ['garbage-collector', 'namespace'],
  });
  const importer = new Importer(new ApiClient(server.fetch), { withStatus });
  const { imported, troubles } = await importer.run(objects);
  for (const trouble of troubles) process.stderr.write(`ilk: ${trouble}\n`);
  process.stderr.write(`ilk: imported ${imported} of ${objects.length} objects\n`);
  if (troubles.length > 0) throw new LoadError('not everything could be imported');
}
