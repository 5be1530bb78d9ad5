import {
  type GroupVersionResource,
  type JsonObject,
  type KubeObject,
  type LabelSelector,
  labelSelectorFromObject,
  ownObject,
  ownString,
} from '../../meta/index.ts';

/** The objects of a policy's parameter kind. */
interface ParamObjects {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
  /** Reads an object at a minimum revision; undefined: the latest. The object is shared. */
  find(namespace: string, name: string, minRevision: number | undefined): Promise<KubeObject | undefined>;
  list(
    namespace: string,
    selector: LabelSelector,
    minRevision: number | undefined,
  ): Promise<readonly KubeObject[]>;
}

/** Returns the objects of a kind; undefined if it is not served. */
export type ParamSource = (apiVersion: string, kind: string) => ParamObjects | undefined;

/** The reason why a binding cannot be used; the policy decides whether the write fails. */
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

/** @throws {ConfigurationError} for a kind of parameters that is not served: the policy cannot be evaluated */
export function requireServed(kind: ParamKind | undefined, source: ParamSource): void {
  if (kind === undefined || source(kind.apiVersion, kind.kind) !== undefined) return;
  const shown = `${kind.apiVersion}, Kind=${kind.kind}`;
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${shown}'`);
}

/** The inputs of a binding's parameter lookup. */
interface ParamLookup {
  readonly kind: ParamKind | undefined;
  /** `paramRef` of the binding. */
  readonly ref: JsonObject | undefined;
  /** The namespace of the written object. */
  readonly namespace: string;
  readonly minRevision: number | undefined;
  readonly found: FoundParams;
}

/** Parameters found by name for a write: many policies may share one. */
export class FoundParams {
  readonly #known = new Map<string, readonly KubeObject[]>();

  find(key: string, find: () => Promise<readonly KubeObject[]>): Found | Promise<Found> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    return find().then((found) => {
      this.#known.set(key, found);
      return found;
    });
  }
}

type Found = readonly KubeObject[];

/**
 * The parameters for the evaluations of a policy; a single undefined if it has none. Source: apiserver,
 * policy/generic, CollectParams.
 *
 * @throws {ConfigurationError} if they cannot be found
 */
export function collectParams(
  source: ParamSource,
  { kind, ref, namespace, minRevision, found }: ParamLookup,
): readonly (KubeObject | undefined)[] | Promise<readonly (KubeObject | undefined)[]> {
  if (kind === undefined || ref === undefined) return withoutParams;
  const objects = source(kind.apiVersion, kind.kind);
  if (objects === undefined) {
    throw new ConfigurationError(`paramKind kind \`${kind.apiVersion}, Kind=${kind.kind}\` not known`);
  }
  const place = placeOf(objects, ref, namespace);
  const name = ownString(ref, 'name') ?? '';
  const looked =
    name === ''
      ? objects.list(place, labelSelectorFromObject(ownObject(ref, 'selector') ?? {}), minRevision)
      : found.find(`${kind.apiVersion} ${kind.kind} ${place}/${name}`, () =>
          namedParam(objects, name, { place, minRevision }),
        );
  return looked instanceof Promise ? looked.then((params) => orRefused(params, ref)) : orRefused(looked, ref);
}

const withoutParams: readonly undefined[] = Object.freeze([undefined]);

function orRefused(params: Found, ref: JsonObject): Found {
  if (params.length > 0 || ownString(ref, 'parameterNotFoundAction') !== 'Deny') return params;
  throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
}

/** The namespace of the lookup: the binding's, or that of the object. */
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

async function namedParam(
  objects: ParamObjects,
  name: string,
  { place, minRevision }: { readonly place: string; readonly minRevision: number | undefined },
): Promise<Found> {
  const object = await objects.find(place, name, minRevision);
  return object === undefined ? [] : [object];
}
