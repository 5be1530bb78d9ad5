import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { importFormats } from '../import/formats.ts';
import { paintFor } from '../paint.ts';
import { filenameOption, sourcesHelp } from '../flags/source-flags.ts';
import { LoadError, type LoadedObject, loadObjects, standardInput } from '../../manifests/index.ts';
import { startServerInside } from '../../server.ts';
import { Importer } from '../import/importer.ts';

interface ImportFlags {
  readonly dataDir: string;
  readonly status: boolean;
  readonly filename: readonly string[];
  readonly output: string;
}

/** `ilk import`: writes manifests into a data directory. */
export function importCommand(): Command {
  return new Command('import')
    .description('create or replace objects of manifests in a data directory; no server may be running on it')
    .argument('[paths...]', `${sourcesHelp}; nothing reads standard input`)
    .addOption(filenameOption())
    .addOption(
      new Option('-o, --output <format>', 'report format').choices([...importFormats.keys()]).default('text'),
    )
    .option('--data-dir <dir>', 'the data directory; created if it is missing', './ilk-data')
    .option('--no-status', 'skip the status of objects')
    .addOption(new Option('--with-status', 'the default').hideHelp())
    .action(run);
}

/** The garbage collector is off: owners may be imported after their dependents. */
async function run(paths: readonly string[], flags: ImportFlags): Promise<void> {
  const { dataDir, status, filename, output } = flags;
  const given = [...paths, ...filename];
  const objects: LoadedObject[] = [];
  for (const path of given.length === 0 ? [standardInput] : given) objects.push(...(await loadObjects(path)));
  const { server, registry, user } = await startServerInside({
    storage: { kind: 'sqlite', dataDir: resolve(dataDir) },
    listen: false,
    disableControllers: ['garbage-collector', 'namespace'],
  });
  try {
    const importer = new Importer(registry, { user, withStatus: status });
    const imported = await importer.run(objects);
    // Messages go to stderr, as in all commands that write; data goes to stdout.
    const stream = output === 'text' ? process.stderr : process.stdout;
    const format = importFormats.get(output);
    stream.write(format?.({ ...imported, total: objects.length }, paintFor(stream, process.env)) ?? '');
    if (imported.troubles.length > 0) throw new LoadError('not everything could be imported');
  } finally {
    await server.close();
  }
}
