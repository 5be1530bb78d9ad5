import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { limits } from '../../meta/index.ts';
import { LoadError } from '../load-error.ts';
import type { SourceKind } from './source.ts';

const pattern = /^git:([^:]+):(.+)$/s;

/**
 * `git:REVISION:PATH`, a file in Git. The path is relative to the top of the repository, or to the working directory
 * if it starts with `./`.
 */
export const gitSource: SourceKind = {
  matches: (name) => pattern.test(name),
  open: async (name) => [{ file: name, read: () => show(name) }],
};

async function show(name: string): Promise<Buffer> {
  const [, revision = '', path = ''] = pattern.exec(name) ?? [];
  try {
    const args = ['show', '--end-of-options', `${revision}:${path}`];
    const options = { encoding: 'buffer', maxBuffer: limits.sourceBytesMax } as const;
    return (await promisify(execFile)('git', args, options)).stdout;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new LoadError(`${name}: ${said}`);
  }
}
