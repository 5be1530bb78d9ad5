import { compareCrds, type CrdChange, diffCrds } from '../diff/index.ts';
import { type HttpResponse, valueResponse } from '../http/index.ts';
import { LoadError, type LoadedObject, loadFile, removedVersionHint } from '../manifests/index.ts';
import {
  badRequestError,
  isObject,
  type JsonObject,
  type KubeObject,
  methodNotSupportedError,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
} from '../meta/index.ts';
import type { DefinitionRequest } from './definition-parts.ts';

/**
 * `POST .../diff` with another CRD as YAML or JSON: what changes from the definition to it, as `ilk diff` says; with `?posted=old`
 * what has changed since. `GET .../diff?from=v1&to=v2` compares two versions of the definition.
 *
 * @throws {StatusError} 400, 405, 413
 */
export async function definitionDiff(request: DefinitionRequest): Promise<HttpResponse> {
  const { method } = request.http;
  if (method === 'POST') return answer(await postedChanges(request));
  if (method === 'GET') return answer(versionChanges(request));
  throw methodNotSupportedError({ group: 'ilk', resource: 'diff' }, method.toLowerCase());
}

function answer(changes: readonly CrdChange[]): HttpResponse {
  const value: JsonObject = {
    kind: 'DefinitionDiff',
    apiVersion: 'ilk/v1',
    breaking: changes.filter(({ severity }) => severity === 'breaking').length,
    changes: changes.map((change) => ({ ...change })),
  };
  return valueResponse(200, value, { mediaType: 'json', pretty: false });
}

async function postedChanges({ http, crd }: DefinitionRequest): Promise<CrdChange[]> {
  const posted = http.query.get('posted') ?? 'new';
  if (posted !== 'new' && posted !== 'old') throw badRequestError('posted must be new or old');
  const other = postedCrd(await readManifest(await http.body()), nameOf(crd));
  const here = { object: crd, file: 'the server', line: 1 };
  return posted === 'new' ? diffCrds([here], [other]) : diffCrds([other], [here]);
}

/** @throws {StatusError} 400 */
async function readManifest(bytes: Uint8Array): Promise<readonly LoadedObject[]> {
  try {
    return await loadFile({ file: 'the file', read: async () => bytes });
  } catch (error) {
    throw error instanceof LoadError ? badRequestError(error.message) : error;
  }
}

/** The CRD of the same name; where there is only one, that one. @throws {StatusError} 400 */
function postedCrd(objects: readonly LoadedObject[], name: string): LoadedObject {
  const crds = objects.filter(({ object }) => ownString(object, 'kind') === 'CustomResourceDefinition');
  const [first, ...more] = crds;
  if (first === undefined) throw badRequestError('there is no CustomResourceDefinition in the file');
  const found = more.length === 0 ? first : crds.find(({ object }) => nameOf(object) === name);
  if (found === undefined)
    throw badRequestError(`none of the CustomResourceDefinitions in the file is ${name}`);
  const hint = removedVersionHint(found.object);
  if (hint !== undefined) throw badRequestError(hint);
  return found;
}

function versionChanges({ http, crd }: DefinitionRequest): CrdChange[] {
  const [from, to] = [http.query.get('from') ?? '', http.query.get('to') ?? ''];
  const [before, after] = [versionOf(crd, from), versionOf(crd, to)];
  if (before === undefined || after === undefined)
    throw badRequestError(`${nameOf(crd)} has no version ${before === undefined ? from : to}`);
  // What is compared is what objects can hold, not which of the two is served and stored.
  const { name = '', served = true, storage = false, deprecated = false } = before;
  const like = { ...after, name, served, storage, deprecated };
  return compareCrds(withVersion(crd, before), withVersion(crd, like)).map((change) => ({
    crd: nameOf(crd),
    ...change,
    version: to,
    file: 'the server',
    line: 1,
  }));
}

function versionOf(crd: KubeObject, name: string): JsonObject | undefined {
  const versions = ownList(ownObject(crd, 'spec') ?? {}, 'versions') ?? [];
  return versions.find((one): one is JsonObject => isObject(one) && own(one, 'name') === name);
}

function withVersion(crd: KubeObject, version: JsonObject): KubeObject {
  return { ...crd, spec: { ...ownObject(crd, 'spec'), versions: [version] } };
}
