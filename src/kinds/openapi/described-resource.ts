import { isObject, type JsonObject, own, ownObject, ownString } from '../../meta/index.ts';
import { OpenApiDocumentError } from './openapi-document.ts';

/** A resource in one version, as the paths of a document describe it. */
export interface DescribedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural, as the paths have it. */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly status: boolean;
  readonly scale: boolean;
}

/** `/apis/<group>/<version>[/namespaces/{namespace}]/<resource>[/{name}[/<subresource>]]`, or with `/api/<version>`. */
const resourcePath =
  /^\/(?:api|apis\/(?<group>[^/{}]+))\/(?<version>[^/{}]+)\/(?<within>namespaces\/\{namespace\}\/)?(?<resource>[^/{}]+)(?:\/\{name\}(?:\/(?<subresource>[^/{}]+))?)?$/;

interface Place {
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly item: boolean;
  readonly subresource: string;
}

/**
 * The resources whose objects can be read and listed. What can only be created, such as reviews, is no resource to
 * keep objects of.
 *
 * @throws {OpenApiDocumentError} if the operations of a path have another group or version
 */
export function describedResources(paths: JsonObject): DescribedResource[] {
  const places = new Map<string, Place[]>();
  for (const path of Object.keys(paths)) {
    const place = placeOf(path);
    if (place === undefined) continue;
    const key = `${place.group}/${place.version}/${place.resource}`;
    places.set(key, [...(places.get(key) ?? []), place]);
  }
  return [...places.values()].flatMap((ofOne) => resourceAt(ofOne, paths) ?? []);
}

function placeOf(path: string): Place | undefined {
  const groups = resourcePath.exec(path)?.groups;
  if (groups === undefined) return undefined;
  const { group = '', version = '', resource = '', within, subresource = '' } = groups;
  const item = path.includes('/{name}');
  return { path, group, version, resource, namespaced: within !== undefined, item, subresource };
}

function resourceAt(places: readonly Place[], paths: JsonObject): DescribedResource | undefined {
  const item = places.find((place) => place.item && place.subresource === '');
  const read = item && operationOf(paths, item.path, 'get');
  if (item === undefined || read === undefined) return undefined;
  const listed = places.some(
    ({ path, item: isItem }) => !isItem && operationOf(paths, path, 'list') !== undefined,
  );
  if (!listed) return undefined;
  const has = (name: string) => places.some(({ subresource }) => subresource === name);
  return {
    group: item.group,
    version: item.version,
    kind: kindOf(read, item),
    resource: item.resource,
    namespaced: item.namespaced,
    status: has('status'),
    scale: has('scale'),
  };
}

/** The operation of a path with this action. */
function operationOf(paths: JsonObject, path: string, action: string): JsonObject | undefined {
  const operation = ownObject(ownObject(paths, path) ?? {}, 'get');
  return operation && own(operation, 'x-kubernetes-action') === action ? operation : undefined;
}

function kindOf(operation: JsonObject, { path, group, version }: Place): string {
  const said = own(operation, 'x-kubernetes-group-version-kind');
  const place = `paths[${JSON.stringify(path)}].get`;
  const kind = isObject(said) ? (ownString(said, 'kind') ?? '') : '';
  if (!isObject(said) || kind === '') {
    throw new OpenApiDocumentError(`${place} has no kind in "x-kubernetes-group-version-kind"`);
  }
  const [saidGroup, saidVersion] = [ownString(said, 'group') ?? '', ownString(said, 'version') ?? ''];
  if (saidGroup === group && saidVersion === version) return kind;
  const both = `${JSON.stringify(saidGroup)} ${JSON.stringify(saidVersion)}`;
  throw new OpenApiDocumentError(
    `${place} is about group and version ${both}, which is not what its path says`,
  );
}
