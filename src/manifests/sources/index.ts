import { fileSource } from './files.ts';
import { gitSource } from './git.ts';
import { globSource } from './glob.ts';
import { kubeSource } from './kube.ts';
import type { SourceFile, SourceKind } from './source.ts';
import { standardInputSource } from './standard-input.ts';
import { urlSource } from './url.ts';

/** All kinds of sources, in the order in which they are tried; a new one is a file and a line here. */
const kinds: readonly SourceKind[] = [
  standardInputSource,
  gitSource,
  kubeSource,
  urlSource,
  globSource,
  fileSource,
];

/**
 * The files of a source: a file, a folder, `-`, a pattern, `git:REVISION:PATH`, `https://...`,
 * `kube://CONTEXT/RESOURCES`.
 *
 * @throws {LoadError} if there are none
 */
export async function openSource(name: string): Promise<readonly SourceFile[]> {
  for (const kind of kinds) if (await kind.matches(name)) return kind.open(name);
  return fileSource.open(name);
}
