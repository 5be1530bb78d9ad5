import {
  type GroupVersionResource,
  type JsonObject,
  type KubeObject,
  type LabelSelector,
  labelSelectorFromObject,
  ownObject,
  ownString,
} from '../../meta/index.ts';

/** The objects of the kind that parametrizes a policy. */
interface ParamObjects {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
  /** As of a revision at least; undefined: the latest. The object is shared. */
  find(namespace: string, name: string, minRevision: number | undefined): Promise<KubeObject | undefined>;
  list(
    namespace: string,
    selector: LabelSelector,
    minRevision: number | undefined,
  ): Promise<readonly KubeObject[]>;
}

/** Gives the objects of a kind; undefined for one that is not served. */
export type ParamSource = (apiVersion: string, kind: string) => ParamObjects | undefined;

/** Why a binding cannot be used; whether the write fails with it, the policy says. */
export class ConfigurationError extends Error {}

/** `paramKind` of a policy. */
export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export function paramKindOf(spec: JsonObject): ParamKind | undefined {
  const kind = ownObject(spec, 'paramKind');
  if (kind === undefined) return undefined;
  return { apiVersion: ownString(kind, 'apiVersion') ?? '', kind: ownString(kind, 'kind') ?? '' };
}

/** What the parameters of a binding are looked for by. */
interface ParamLookup {
  readonly kind: ParamKind | undefined;
  /** `paramRef` of the binding. */
  readonly ref: JsonObject | undefined;
  /** Of the object that is written. */
  readonly namespace: string;
  readonly minRevision: number | undefined;
}

/**
 * The parameters that a policy is to be evaluated with, one after the other; a single undefined where it has none.
 * Source: apiserver, policy/generic, CollectParams.
 *
 * @throws {ConfigurationError} where they cannot be found
 */
export async function collectParams(
  source: ParamSource,
  { kind, ref, namespace, minRevision }: ParamLookup,
): Promise<readonly (KubeObject | undefined)[]> {
  if (kind === undefined || ref === undefined) return [undefined];
  const objects = source(kind.apiVersion, kind.kind);
  if (objects === undefined) {
    throw new ConfigurationError(`paramKind kind \`${kind.apiVersion}, Kind=${kind.kind}\` not known`);
  }
  const place = placeOf(objects, ref, namespace);
  const found = await foundParams(objects, ref, { place, minRevision });
  if (found.length > 0 || ownString(ref, 'parameterNotFoundAction') !== 'Deny') return found;
  throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
}

/** The namespace to look in: the one that the binding names, or that of the object. */
function placeOf({ namespaced }: ParamObjects, ref: JsonObject, namespace: string): string {
  const named = ownString(ref, 'namespace') ?? '';
  if (!namespaced) {
    if (named === '') return '';
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  if (named !== '' || namespace !== '') return named === '' ? namespace : named;
  throw new ConfigurationError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}

async function foundParams(
  objects: ParamObjects,
  ref: JsonObject,
  { place, minRevision }: { readonly place: string; readonly minRevision: number | undefined },
): Promise<readonly KubeObject[]> {
  const name = ownString(ref, 'name') ?? '';
  if (name === '') {
    const selector = labelSelectorFromObject(ownObject(ref, 'selector') ?? {});
    return objects.list(place, selector, minRevision);
  }
  const object = await objects.find(place, name, minRevision);
  return object === undefined ? [] : [object];
}
