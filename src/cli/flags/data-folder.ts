import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { reasonOf } from './flag-file.ts';

/** Where a server keeps its files. */
interface DataFolder {
  readonly path: string;
  /** Removes what was only for this run. */
  remove(): Promise<void>;
}

/** As `mkdir -p`. Node's own tries for ever where a folder takes no folders, as /proc. */
async function makeFolder(path: string): Promise<void> {
  const errorOf = async () =>
    mkdir(path).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
  const error = await errorOf();
  if (error === undefined || error.code === 'EEXIST') return;
  if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
  await makeFolder(dirname(path));
  const again = await errorOf();
  if (again !== undefined && again.code !== 'EEXIST') throw again;
}

/** Where everything is kept unless somebody says otherwise. */
export const usualDataDir = './ilk-data';

/**
 * The folder of `--data-dir`, made if it is missing. A server that keeps its objects in memory needs none of its own:
 * unless one is named, its certificates and its kubeconfig are in a temporary folder, which goes when it ends.
 *
 * @throws {Error} for a folder that can be neither made nor written to
 */
export async function openDataFolder({
  dataDir,
  storage,
}: {
  readonly dataDir: string | undefined;
  readonly storage: string | undefined;
}): Promise<DataFolder> {
  if (dataDir === undefined && storage === 'memory') {
    const path = await mkdtemp(join(tmpdir(), 'ilk-'));
    return { path, remove: () => rm(path, { recursive: true, force: true }) };
  }
  const path = resolve(dataDir ?? usualDataDir);
  try {
    await makeFolder(path);
    if (!(await stat(path)).isDirectory()) throw new Error('it is a file, not a folder');
    await access(path, constants.W_OK);
  } catch (error) {
    throw new Error(`--data-dir ${path}: cannot be used: ${reasonOf(error)}`, { cause: error });
  }
  return { path, remove: async () => {} };
}
