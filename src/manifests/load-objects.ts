import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DecodeError, decodeYamlDocuments, type YamlDocument } from '../codec/index.ts';
import { isObject, type KubeObject, ownList, ownString } from '../meta/index.ts';

/** A file that does not hold what it should; the message names it and the line. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}

/** An object and where it was read. */
export interface LoadedObject {
  readonly file: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly object: KubeObject;
  /** Keys that stand twice in the same document, in the words of upstream's strict decoding. */
  readonly duplicates: readonly string[];
  /** The line of a field, by the keys and indexes that lead to it. */
  lineAt(path: readonly string[]): number;
}

const manifestName = /\.(ya?ml|json)$/;
/** What names standard input among paths. */
export const standardInput = '-';

/**
 * The objects of a file, of all manifests in a folder and the folders in it, in the order of their names, or of
 * standard input for `-`. Files may hold several YAML documents, and lists.
 *
 * @throws {LoadError} for what is no manifest, and the system's error for what cannot be read
 */
export async function loadObjects(path: string): Promise<LoadedObject[]> {
  const loaded: LoadedObject[] = [];
  for (const file of await manifestFiles(path)) loaded.push(...(await loadFile(file)));
  return loaded;
}

/** The files behind a path: itself, or all manifests of a folder. @throws {LoadError} where there is nothing */
export async function manifestFiles(path: string): Promise<string[]> {
  if (path === standardInput || !(await isFolder(path))) return [path];
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && manifestName.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new LoadError(`${path}: no such file or folder`);
  return found.isDirectory();
}

/** The objects of one file. @throws {LoadError} */
export async function loadFile(file: string): Promise<LoadedObject[]> {
  return decodeObjects(file, file === standardInput ? await buffer(process.stdin) : await readFile(file));
}

/** The objects in the bytes of a manifest that has a name. @throws {LoadError} */
export function decodeObjects(file: string, bytes: Uint8Array): LoadedObject[] {
  try {
    return decodeYamlDocuments(bytes).flatMap((document) => objectsIn(file, document));
  } catch (error) {
    throw error instanceof DecodeError ? new LoadError(`${file}: ${error.message}`) : error;
  }
}

function objectsIn(file: string, { value, line, duplicates, lineAt }: YamlDocument): LoadedObject[] {
  if (value === null) return [];
  if (!isObject(value)) throw new LoadError(`${file}:${line}: not an object`);
  const items = ownString(value, 'kind')?.endsWith('List') === true ? ownList(value, 'items') : undefined;
  if (items === undefined) return [{ file, line, object: value, duplicates, lineAt }];
  return items.map((object, index) => {
    const steps = ['items', String(index)];
    const from = lineAt(steps);
    const to = index + 1 < items.length ? lineAt(['items', String(index + 1)]) : Number.POSITIVE_INFINITY;
    if (!isObject(object)) throw new LoadError(`${file}:${from}: not an object`);
    return {
      file,
      line: from,
      object,
      duplicates: duplicates.filter((text) => isWithin(text, from, to)),
      lineAt: (path) => lineAt([...steps, ...path]),
    };
  });
}

/** Texts of repeated keys begin with their line. */
function isWithin(text: string, from: number, to: number): boolean {
  const line = Number(/^line (\d+):/.exec(text)?.[1]);
  return line >= from && line < to;
}

/** The CRDs of a file or a folder. @throws {LoadError} where there is none */
export async function loadCrds(path: string): Promise<LoadedObject[]> {
  const crds = (await loadObjects(path)).filter(
    ({ object }) => ownString(object, 'kind') === 'CustomResourceDefinition',
  );
  if (crds.length === 0) throw new LoadError(`${path}: no CustomResourceDefinition in it`);
  return crds;
}
