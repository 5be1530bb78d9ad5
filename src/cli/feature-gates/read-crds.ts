import { decodeJson } from '../../codec/index.ts';
import {
  isObject,
  type KubeObject,
  nameOf,
  ownList,
  ownObject,
  ownString,
  stringList,
} from '../../meta/index.ts';
import type { Kubectl } from './kubectl.ts';

const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** A CRD can be a megabyte. */
const pageObjects = 100;

/** All CRDs of the server, read in pages. @throws {KubectlError} */
export async function readCrds(kubectl: Kubectl): Promise<KubeObject[]> {
  const crds: KubeObject[] = [];
  for await (const crd of readAll(kubectl, crdsPath)) crds.push(crd);
  return crds;
}

/** All objects of a CRD, in a served version, read in pages. @throws {KubectlError} */
export async function* readObjects(kubectl: Kubectl, crd: KubeObject): AsyncGenerator<KubeObject> {
  const spec = ownObject(crd, 'spec') ?? {};
  const served = (ownList(spec, 'versions') ?? []).filter(isObject).filter(({ served }) => served === true);
  const version = served.find(({ storage }) => storage === true) ?? served[0];
  if (version === undefined) return;
  const names = ownObject(spec, 'names') ?? {};
  const group = ownString(spec, 'group') ?? '';
  yield* readAll(kubectl, `/apis/${group}/${ownString(version, 'name')}/${ownString(names, 'plural')}`);
}

async function* readAll(kubectl: Kubectl, path: string): AsyncGenerator<KubeObject> {
  let token = '';
  do {
    const query = `limit=${pageObjects}&continue=${encodeURIComponent(token)}`;
    const { value } = decodeJson(Buffer.from(await kubectl.run('get', '--raw', `${path}?${query}`)));
    const list = isObject(value) ? value : {};
    yield* (ownList(list, 'items') ?? []).filter((item) => isObject(item));
    token = ownString(ownObject(list, 'metadata') ?? {}, 'continue') ?? '';
  } while (token !== '');
}

/**
 * Finds a CRD by its own name or by a name of its resource, as kubectl does.
 *
 * @throws {Error} if none or several match, with their names
 */
export function findCrd(crds: readonly KubeObject[], asked: string): KubeObject {
  const exact = crds.find((crd) => nameOf(crd) === asked);
  if (exact !== undefined) return exact;
  const found = crds.filter((crd) => resourceNames(crd).includes(asked.toLowerCase()));
  const [only, ...more] = found;
  if (only === undefined) throw new Error(`there is no CustomResourceDefinition ${asked}`);
  if (more.length === 0) return only;
  throw new Error(`${asked} can be any of ${found.map(nameOf).join(', ')}`);
}

function resourceNames(crd: KubeObject): string[] {
  const names = ownObject(ownObject(crd, 'spec') ?? {}, 'names') ?? {};
  const single = ['plural', 'singular', 'kind'].map((field) => ownString(names, field) ?? '');
  return [...single, ...stringList(names['shortNames'])].map((name) => name.toLowerCase()).filter(Boolean);
}
