import type { AuthorizationAttributes, ResourceAttributes } from '../../auth/index.ts';
import {
  checkPathSegment,
  type FieldRequirement,
  type FieldSelector,
  type LabelRequirement,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  type SelectorOptions,
} from '../../meta/index.ts';
import type { KnownRequest } from '../filter.ts';
import type { ResourcePath } from '../request-info.ts';

/** The verbs with selectors. */
const selecting: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/** The authorization attributes of a request. Source: apiserver, endpoints/request/requestinfo.go. */
export function requestAttributes(
  { http, user, path, verb }: KnownRequest,
  selectors: SelectorOptions,
): AuthorizationAttributes {
  const method = http.method.toLowerCase();
  if (path === undefined || path.resource === '') {
    return { user, verb: method, resource: undefined, path: http.path };
  }
  const resource =
    verb !== undefined && selecting.has(verb)
      ? new SelectedResource(path, { query: http.query, verb, selectors })
      : objectAttributes(path);
  return { user, verb: verb ?? method, resource, path: http.path };
}

/** A Namespace belongs to its own namespace: a user who may get namespaces there may read it. */
function objectAttributes(path: ResourcePath): ResourceAttributes {
  return path.resource === 'namespaces' && path.namespace === '' && path.name !== ''
    ? { ...path, namespace: path.name }
    : path;
}

interface SelectingRequest {
  readonly query: URLSearchParams;
  readonly verb: string;
  readonly selectors: SelectorOptions;
}

/**
 * The attributes of a collection, with its selector requirements (KEP-4601), which are parsed when an authorizer reads
 * them. An invalid selector is ignored here and refused by the verb. A list or watch by `metadata.name` has that name.
 */
class SelectedResource implements ResourceAttributes {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly #query: URLSearchParams;
  readonly #selectors: SelectorOptions;
  /** A path of the old form `/watch/...` may name one object; selectors are then ignored. */
  readonly #oldForm: boolean;

  constructor(path: ResourcePath, { query, verb, selectors }: SelectingRequest) {
    this.group = path.group;
    this.version = path.version;
    this.resource = path.resource;
    this.subresource = path.subresource;
    this.namespace = objectAttributes(path).namespace;
    this.#query = query;
    this.#selectors = selectors;
    this.#oldForm = path.watch;
    this.name =
      path.name === '' && !path.watch && verb !== 'deletecollection' ? this.#selectedName() : path.name;
  }

  get fieldSelector(): readonly FieldRequirement[] | undefined {
    return nonEmpty(this.#fields()?.requirements);
  }

  get labelSelector(): readonly LabelRequirement[] | undefined {
    const text = this.#oldForm ? null : this.#query.get('labelSelector');
    return text === null ? undefined : nonEmpty(readable(() => parseLabelSelector(text))?.requirements);
  }

  #selectedName(): string {
    const name = this.#query.has('fieldSelector') ? this.#fields()?.exactValue('metadata.name') : undefined;
    return name === undefined || name === '' || checkPathSegment(name).length > 0 ? '' : name;
  }

  /** Parsed as the verb does, so that both agree. */
  #fields(): FieldSelector | undefined {
    const text = this.#oldForm ? null : this.#query.get('fieldSelector');
    if (text === null) return undefined;
    const { setBasedFieldSelectors: setBased } = this.#selectors;
    return readable(() => parseFieldSelector(text, { setBased }));
  }
}

function nonEmpty<T>(requirements: readonly T[] | undefined): readonly T[] | undefined {
  return requirements?.length === 0 ? undefined : requirements;
}

function readable<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
