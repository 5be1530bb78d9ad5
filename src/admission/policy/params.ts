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
  /** Both, for lookups. */
  readonly key: string;
}

/** `paramRef` of a binding. */
export interface ParamRef {
  /** Empty if the parameters are selected. */
  readonly name: string;
  /** Empty for that of the written object. */
  readonly namespace: string;
  readonly selector: LabelSelector;
  /** True if the write is refused where there are no parameters. */
  readonly isRequired: boolean;
}

export function paramRefOf(spec: JsonObject): ParamRef | undefined {
  const ref = ownObject(spec, 'paramRef');
  if (ref === undefined) return undefined;
  return Object.freeze({
    name: ownString(ref, 'name') ?? '',
    namespace: ownString(ref, 'namespace') ?? '',
    selector: labelSelectorFromObject(ownObject(ref, 'selector') ?? {}),
    isRequired: ownString(ref, 'parameterNotFoundAction') === 'Deny',
  });
}

export function paramKindOf(spec: JsonObject): ParamKind | undefined {
  const kind = ownObject(spec, 'paramKind');
  if (kind === undefined) return undefined;
  const [apiVersion, name] = [ownString(kind, 'apiVersion') ?? '', ownString(kind, 'kind') ?? ''];
  return { apiVersion, kind: name, key: `${apiVersion} ${name}` };
}

/** @throws {ConfigurationError} for a kind of parameters that is not served: the policy cannot be evaluated */
export function requireServed(kind: ParamKind | undefined, found: FoundParams): void {
  if (kind === undefined || found.objectsOf(kind) !== undefined) return;
  const shown = `${kind.apiVersion}, Kind=${kind.kind}`;
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${shown}'`);
}

/** The inputs of a binding's parameter lookup. */
interface ParamLookup {
  readonly kind: ParamKind | undefined;
  readonly ref: ParamRef | undefined;
  /** The namespace of the written object. */
  readonly namespace: string;
  readonly minRevision: number | undefined;
}

/** The objects of a parameter kind, and those that were found by name. */
interface FoundKind {
  readonly objects: ParamObjects | undefined;
  /** By namespace and name: joining them for each policy would cost more than the lookup. */
  readonly byPlace: Map<string, Map<string, Found>>;
}

/** The parameters for one write: many policies may share one. */
export class FoundParams {
  readonly #source: ParamSource;
  /** By apiVersion and kind. */
  readonly #kinds = new Map<string, FoundKind>();

  constructor(source: ParamSource) {
    this.#source = source;
  }

  /** The objects of a kind; undefined if it is not served. */
  objectsOf(kind: ParamKind): ParamObjects | undefined {
    return this.#kind(kind).objects;
  }

  /** The parameters of a name, looked up once. */
  named(
    kind: ParamKind,
    { place, name }: { readonly place: string; readonly name: string },
    find: () => Promise<Found>,
  ): Found | Promise<Found> {
    const { byPlace } = this.#kind(kind);
    const known = byPlace.get(place)?.get(name);
    if (known !== undefined) return known;
    return find().then((found) => {
      const byName = byPlace.get(place) ?? new Map<string, Found>();
      byPlace.set(place, byName.set(name, found));
      return found;
    });
  }

  #kind({ apiVersion, kind, key }: ParamKind): FoundKind {
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    const made = { objects: this.#source(apiVersion, kind), byPlace: new Map() };
    this.#kinds.set(key, made);
    return made;
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
  found: FoundParams,
  { kind, ref, namespace, minRevision }: ParamLookup,
): readonly (KubeObject | undefined)[] | Promise<readonly (KubeObject | undefined)[]> {
  if (kind === undefined || ref === undefined) return withoutParams;
  const objects = found.objectsOf(kind);
  if (objects === undefined) {
    throw new ConfigurationError(`paramKind kind \`${kind.apiVersion}, Kind=${kind.kind}\` not known`);
  }
  const place = placeOf(objects, ref, namespace);
  const { name, selector } = ref;
  const looked =
    name === ''
      ? objects.list(place, selector, minRevision)
      : found.named(kind, { place, name }, () => namedParam(objects, name, { place, minRevision }));
  return looked instanceof Promise ? looked.then((params) => orRefused(params, ref)) : orRefused(looked, ref);
}

const withoutParams: readonly undefined[] = Object.freeze([undefined]);

function orRefused(params: Found, { isRequired }: ParamRef): Found {
  if (params.length > 0 || !isRequired) return params;
  throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
}

/** The namespace of the lookup: the binding's, or that of the object. */
function placeOf({ namespaced }: ParamObjects, { namespace: named }: ParamRef, namespace: string): string {
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
