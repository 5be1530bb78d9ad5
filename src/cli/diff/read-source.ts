import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { decodeObjects, type LoadedObject, LoadError, loadObjects } from '../../manifests/index.ts';

const outputBytesMax = 64 * 1024 * 1024;
const gitSource = /^git:([^:]+):(.+)$/s;

/**
 * The CRDs of a file, a folder, standard input (`-`), or of a file in Git: `git:REVISION:PATH`.
 *
 * @throws {LoadError} where there is none
 */
export async function readCrds(source: string): Promise<LoadedObject[]> {
  const [, revision, path] = gitSource.exec(source) ?? [];
  const all =
    revision === undefined || path === undefined
      ? await loadObjects(source)
      : decodeObjects(source, await showInGit(source, revision, path));
  const crds = all.filter(({ object }) => object['kind'] === 'CustomResourceDefinition');
  if (crds.length === 0) throw new LoadError(`${source}: no CustomResourceDefinition in it`);
  return crds;
}

/** The path is as git has it: from the top of the repository, or from here where it begins with `./`. */
async function showInGit(source: string, revision: string, path: string): Promise<Buffer> {
  try {
    const args = ['show', '--end-of-options', `${revision}:${path}`];
    const { stdout } = await promisify(execFile)('git', args, {
      encoding: 'buffer',
      maxBuffer: outputBytesMax,
    });
    return stdout;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new LoadError(`${source}: ${said}`);
  }
}
