import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DecodeError, decodeYamlDocuments } from '../codec/index.ts';
import { isObject, type KubeObject, ownList, ownString } from '../meta/index.ts';

/** A file that does not hold what it should; the message names it and the line. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}

/** An object and where it was read. */
export interface LoadedObject {
  readonly file: string;
  readonly object: KubeObject;
}

const manifestName = /\.(ya?ml|json)$/;

/**
 * The objects of a file, or of all manifests in a folder and the folders in it, in the order of their names. Files
 * may hold several YAML documents, and lists.
 *
 * @throws {LoadError} for what is no manifest, and the system's error for what cannot be read
 */
export async function loadObjects(path: string): Promise<LoadedObject[]> {
  const files = (await stat(path)).isDirectory() ? await manifestsIn(path) : [path];
  const loaded: LoadedObject[] = [];
  for (const file of files) loaded.push(...(await loadFile(file)).map((object) => ({ file, object })));
  return loaded;
}

async function manifestsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && manifestName.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function loadFile(file: string): Promise<KubeObject[]> {
  const bytes = await readFile(file);
  try {
    return decodeYamlDocuments(bytes).flatMap(({ value, line }) => {
      if (value === null) return [];
      if (!isObject(value)) throw new LoadError(`${file}:${line}: not an object`);
      return expandList(value);
    });
  } catch (error) {
    throw error instanceof DecodeError ? new LoadError(`${file}: ${error.message}`) : error;
  }
}

function expandList(object: KubeObject): KubeObject[] {
  if (ownString(object, 'kind')?.endsWith('List') !== true) return [object];
  const items = ownList(object, 'items');
  return items === undefined ? [object] : items.filter(isObject);
}

/** The CRDs of a file or a folder. @throws {LoadError} where there is none */
export async function loadCrds(path: string): Promise<LoadedObject[]> {
  const crds = (await loadObjects(path)).filter(
    ({ object }) => ownString(object, 'kind') === 'CustomResourceDefinition',
  );
  if (crds.length === 0) throw new LoadError(`${path}: no CustomResourceDefinition in it`);
  return crds;
}
