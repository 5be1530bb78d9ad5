import { asJson } from './as-json.ts';
import { fileURLToPath } from 'node:url';
import { withWireNames } from './client-library-crd.ts';
import { invalidOption } from './check-options/option-error.ts';
import { LoadError, loadCrds, loadObjects } from '../manifests/index.ts';
import { type KubeObject, nameOf, ownString, StatusError } from '../meta/index.ts';

/**
 * An object, or the location of objects: a YAML or JSON file or a folder, relative to the working directory, or a
 * `file:` URL.
 */
export type Manifest = string | URL | object;

/** An object and its file; empty if it was passed as an object. */
export interface ReadObject {
  readonly file: string;
  readonly object: KubeObject;
}

/**
 * Reads objects, in order, each with its file. A file may contain several; folders are read recursively.
 *
 * @throws {LoadError} for an invalid manifest, and the system's error for an unreadable file
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

/**
 * Reads CRDs. Other objects in files are skipped; an object that is no CRD is refused.
 *
 * @throws {LoadError} for an invalid manifest, and for a location without CRDs
 * @throws {OptionError} for another object
 */
export async function readCrds(manifests: readonly Manifest[]): Promise<ReadObject[]> {
  const loaded: ReadObject[] = [];
  for (const [index, manifest] of manifests.entries()) {
    if (typeof manifest === 'string') loaded.push(...(await loadCrds(manifest)));
    else if (manifest instanceof URL) loaded.push(...(await loadCrds(fileURLToPath(manifest))));
    else loaded.push({ file: '', object: crdOf(manifest, `crds[${index}]`) });
  }
  return loaded;
}

function crdOf(manifest: object, option: string): KubeObject {
  const object = withWireNames(asJson(manifest));
  if (ownString(object, 'kind') === 'CustomResourceDefinition') return object;
  throw invalidOption(option, manifest, 'not a CustomResourceDefinition.');
}

/** Adds the file of a refused object to the error. */
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
