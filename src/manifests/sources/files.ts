import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LoadError } from '../load-error.ts';
import type { SourceFile, SourceKind } from './source.ts';

/** Whether a folder's file is taken for a manifest. */
export function isManifestName(path: string): boolean {
  return /\.(ya?ml|json)$/.test(path);
}

/** A file, or a folder: all manifests in it, recursively, in name order. */
export const fileSource: SourceKind = {
  matches: () => true,
  open: async (name) => {
    if (!(await isFolder(name))) return [fileAt(name)];
    const files = await filesBelow(name);
    return files.filter(isManifestName).map(fileAt);
  },
};

export function fileAt(path: string): SourceFile {
  return { file: path, read: () => readFile(path) };
}

/** All files in a folder, recursively, by name. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new LoadError(`${path}: no such file or folder`);
  return found.isDirectory();
}
