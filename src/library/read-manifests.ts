import { fileURLToPath } from 'node:url';
import { withWireNames } from './client-library-crd.ts';
import { LoadError, loadObjects } from '../manifests/index.ts';
import { type KubeObject, nameOf, ownString, StatusError } from '../meta/index.ts';

/**
 * An object, or where objects stand: a file or a folder with YAML or JSON, relative to the working directory, or a
 * `file:` URL.
 */
export type Manifest = string | URL | object;

/** An object, and the file it stands in; empty where it was given as it is. */
export interface ReadObject {
  readonly file: string;
  readonly object: KubeObject;
}

/**
 * The objects, in order, each with the file it stands in; a file may hold several, a folder is read to its depths.
 *
 * @throws {LoadError} for what is no manifest, and the system's error for what cannot be read
 */
export async function readManifests(manifests: readonly Manifest[]): Promise<ReadObject[]> {
  const loaded: ReadObject[] = [];
  for (const manifest of manifests) {
    if (typeof manifest === 'string') loaded.push(...(await loadObjects(manifest)));
    else if (manifest instanceof URL) loaded.push(...(await loadObjects(fileURLToPath(manifest))));
    else loaded.push({ file: '', object: withWireNames(asJson(manifest)) });
  }
  return loaded;
}

/** An object of a client library as it would go over the wire: dates become texts, what is undefined goes. */
export function asJson(object: object): KubeObject {
  return JSON.parse(JSON.stringify(object));
}

/** Says which file an object that was refused stands in. */
export function withFile(error: unknown, loaded: readonly ReadObject[]): unknown {
  if (!(error instanceof StatusError)) return error;
  const { name } = error.status.details ?? {};
  const isRefused = ({ object }: ReadObject) => name !== undefined && nameOf(object) === name;
  const suspects = loaded.filter(isRefused);
  const [only] = suspects;
  if (suspects.length !== 1 || only === undefined || only.file === '') return error;
  const kind = ownString(only.object, 'kind') ?? '';
  return new LoadError(`${only.file}: ${kind} ${nameOf(only.object)}: ${error.message}`, { cause: error });
}
