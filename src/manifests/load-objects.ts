import { DecodeError, decodeYamlDocuments, type YamlDocument } from '../codec/index.ts';
import { isObject, type KubeObject, ownList, ownString } from '../meta/index.ts';
import { LoadError } from './load-error.ts';
import { fileAt } from './sources/files.ts';
import { removedVersionHint } from './removed-version.ts';
import { openSource } from './sources/index.ts';
import type { SourceFile } from './sources/source.ts';

/** An object and its place. */
export interface LoadedObject {
  readonly file: string;
  /** The line where it starts, from 1. */
  readonly line: number;
  readonly object: KubeObject;
  /** Duplicate keys in the same document, with the messages of upstream's strict decoding. */
  readonly duplicates: readonly string[];
  /** The line of a field, by its path of keys and indexes. */
  lineAt(path: readonly string[]): number;
}

/**
 * The objects of a source, in file order. Files may contain several YAML documents, and lists.
 *
 * @throws {LoadError} for an invalid manifest, and the system's error for an unreadable file
 */
export async function loadObjects(source: string): Promise<LoadedObject[]> {
  const loaded: LoadedObject[] = [];
  for (const file of await openSource(source)) loaded.push(...(await loadFile(file)));
  return loaded;
}

/** The objects of one file. @throws {LoadError} */
export async function loadFile(file: SourceFile | string): Promise<LoadedObject[]> {
  const { file: name, read } = typeof file === 'string' ? fileAt(file) : file;
  return decodeObjects(name, await read());
}

/** The objects in the bytes of a named manifest. @throws {LoadError} */
function decodeObjects(file: string, bytes: Uint8Array): LoadedObject[] {
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

/** Messages about duplicate keys start with their line. */
function isWithin(text: string, from: number, to: number): boolean {
  const line = Number(/^line (\d+):/.exec(text)?.[1]);
  return line >= from && line < to;
}

/** The CRDs of a source. @throws {LoadError} if there is none, and for those of a removed version */
export async function loadCrds(source: string): Promise<LoadedObject[]> {
  const crds = (await loadObjects(source)).filter(
    ({ object }) => ownString(object, 'kind') === 'CustomResourceDefinition',
  );
  if (crds.length === 0) throw new LoadError(`${source}: no CustomResourceDefinition in it`);
  for (const { file, line, object } of crds) {
    const hint = removedVersionHint(object);
    if (hint !== undefined) throw new LoadError(`${file}:${line}: ${hint}`);
  }
  return crds;
}
