import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { limits } from '../../meta/index.ts';
import { LoadError } from '../load-error.ts';
import { isManifestName } from './files.ts';
import type { SourceFile, SourceKind } from './source.ts';

const pattern = /^git:([^:]+):(.+)$/s;

/** The regular files that `git ls-tree -z` lists; links and submodules have other modes. */
const regularFile = /^100(?:644|755) blob \w+\t(.+)$/s;

/**
 * `git:REVISION:PATH`, a file in Git, or a folder: all manifests in it, recursively, in name order. The path is relative to
 * the top of the repository, or to the working directory if it starts with `./`.
 */
export const gitSource: SourceKind = {
  matches: (name) => pattern.test(name),
  open: async (name) => {
    const files = await filesBelow(name);
    if (files === undefined) return [fileAt(name)];
    const folder = name.replace(/\/*$/, '/');
    return files.map((path) => fileAt(`${folder}${path}`));
  },
};

function fileAt(name: string): SourceFile {
  return { file: name, read: () => show(name) };
}

/** The manifests in a folder, or undefined if the name is not one of a folder. */
async function filesBelow(name: string): Promise<string[] | undefined> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', objectOf(name)];
  // What is wrong with the name, `git show` says.
  const listed = await git(args).catch(() => undefined);
  return listed
    ?.toString()
    .split('\0')
    .map((line) => regularFile.exec(line)?.[1] ?? '')
    .filter(isManifestName)
    .sort();
}

async function show(name: string): Promise<Buffer> {
  try {
    return await git(['show', '--end-of-options', objectOf(name)]);
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new LoadError(`${name}: ${said}`);
  }
}

/** `REVISION:PATH`, as Git names an object. */
function objectOf(name: string): string {
  const [, revision = '', path = ''] = pattern.exec(name) ?? [];
  return `${revision}:${path}`;
}

async function git(args: readonly string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: limits.sourceBytesMax } as const;
  return (await promisify(execFile)('git', args, options)).stdout;
}
