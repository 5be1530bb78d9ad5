import { encodeCbor, encodeJson } from '../../codec/index.ts';
import {
  aggregatedDocument,
  type ApiGroups,
  apiGroupDocument,
  apiGroupListDocument,
  apiGroups,
  apiResourceListDocument,
  apiVersionsDocument,
} from '../../discovery/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import type { Catalog, Registry } from '../../registry/index.ts';
import { contentHash, hasAlready } from './etag.ts';
import type { HttpRequest, HttpResponse } from '../message.ts';
import { type MediaType, negotiate, parseAccept } from '../negotiate.ts';
import type { OpenApiHandler } from './openapi-handler.ts';
import { splitPath } from '../request-info.ts';
import { valueResponse, wantsPretty } from '../responses.ts';
import { virtualResources } from '../virtual-resources.ts';

type AggregatedMediaType = 'application/json' | 'application/cbor';

const aggregatedParameters = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface DiscoveryParts {
  readonly openApi: OpenApiHandler;
  readonly serverAddress: () => string;
  /** Whether CBOR is offered; default false. */
  readonly cbor?: boolean;
}

/** Discovery documents, built on first use and cached until the catalog changes. */
export class DiscoveryHandler {
  readonly #registry: Registry;
  readonly #openApi: OpenApiHandler;
  /** Host and port as clients reach them; known once the server listens. */
  readonly #serverAddress: () => string;
  readonly #cbor: boolean;
  #catalog: Catalog | undefined;
  #groups: ApiGroups = { core: [], named: [] };
  #aggregated = new Map<string, { readonly body: Uint8Array; readonly hash: string }>();

  constructor(registry: Registry, parts: DiscoveryParts) {
    this.#registry = registry;
    this.#openApi = parts.openApi;
    this.#serverAddress = parts.serverAddress;
    this.#cbor = parts.cbor === true;
  }

  /** The response for a document; undefined for other paths. */
  async respond(request: HttpRequest): Promise<HttpResponse | undefined> {
    const steps = splitPath(request.path);
    if (steps === undefined) return undefined;
    const [root, ...rest] = steps;
    if (root === 'openapi') return this.#openApi.respond(request, rest);
    if (root !== 'api' && root !== 'apis') return steps.length === 0 ? this.#index(request) : undefined;
    const groups = this.#current(await this.#registry.availableCatalog());
    const aggregated = rest.length === 0 ? this.#aggregatedWanted(request) : undefined;
    if (aggregated !== undefined) return this.#aggregatedResponse(root, aggregated, { groups, request });
    const document = this.#document(root, rest, groups);
    return document === undefined ? undefined : documentResponse(document, request, this.#cbor);
  }

  #current(catalog: Catalog): ApiGroups {
    if (catalog !== this.#catalog) {
      this.#catalog = catalog;
      this.#groups = apiGroups(
        catalog.resources.map(({ type }) => type),
        virtualResources,
      );
      this.#aggregated = new Map();
    }
    return this.#groups;
  }

  #document(root: 'api' | 'apis', rest: readonly string[], groups: ApiGroups): JsonObject | undefined {
    const [first, version] = rest;
    if (root === 'api') {
      if (first === undefined) return apiVersionsDocument(groups, this.#serverAddress());
      const core = groups.core.find((candidate) => candidate.version === first);
      return core === undefined || version !== undefined ? undefined : apiResourceListDocument(core);
    }
    if (first === undefined) return apiGroupListDocument(groups);
    const group = groups.named.find(({ name }) => name === first);
    if (group === undefined || rest.length > 2) return undefined;
    if (version === undefined) return apiGroupDocument(group);
    const found = group.versions.find((candidate) => candidate.version === version);
    return found === undefined ? undefined : apiResourceListDocument(found);
  }

  /**
   * The media type of the aggregated document, if the client prefers it to the plain one. The beta version no longer
   * exists.
   */
  #aggregatedWanted(request: HttpRequest): AggregatedMediaType | undefined {
    for (const { type, parameters } of parseAccept(request.header('accept') ?? '')) {
      const isOffered = type === 'application/json' || (type === 'application/cbor' && this.#cbor);
      if (isOffered && isAggregated(parameters)) return type;
      if ((plainTypes.has(type) || isOffered) && !parameters.has('as')) return undefined;
    }
    return undefined;
  }

  #aggregatedResponse(
    root: 'api' | 'apis',
    mediaType: AggregatedMediaType,
    { groups, request }: { readonly groups: ApiGroups; readonly request: HttpRequest },
  ): HttpResponse {
    const key = `${root} ${mediaType}`;
    const known = this.#aggregated.get(key) ?? renderAggregated(root, groups, mediaType);
    this.#aggregated.set(key, known);
    const headers = {
      'content-type': `${mediaType};${aggregatedParameters}`,
      etag: `"${known.hash}"`,
      vary: 'Accept',
      'cache-control': 'public',
    };
    const unchanged = hasAlready(request, known.hash);
    return { status: unchanged ? 304 : 200, headers, body: unchanged ? Buffer.alloc(0) : known.body };
  }

  #index(request: HttpRequest): HttpResponse {
    const groups = this.#current(this.#registry.catalog);
    const named = groups.named.flatMap(({ name, versions }) => [
      `/apis/${name}`,
      ...versions.map(({ version }) => `/apis/${name}/${version}`),
    ]);
    const core = groups.core.map(({ version }) => `/api/${version}`);
    const fixed = ['/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];
    return documentResponse({ paths: ['/api', ...core, '/apis', ...named.sort(), ...fixed] }, request, false);
  }
}

function renderAggregated(root: 'api' | 'apis', groups: ApiGroups, mediaType: AggregatedMediaType) {
  const shown = root === 'api' ? [{ name: '', versions: groups.core }] : groups.named;
  const document = aggregatedDocument(shown);
  const body =
    mediaType === 'application/cbor'
      ? encodeCbor(document)
      : Buffer.concat([encodeJson(document), Buffer.from('\n')]);
  return { body, hash: contentHash([body]) };
}

const plainTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/yaml',
  '*/*',
  'application/*',
]);

function isAggregated(parameters: ReadonlyMap<string, string>): boolean {
  return (
    parameters.get('g') === 'apidiscovery.k8s.io' &&
    parameters.get('v') === 'v2' &&
    parameters.get('as') === 'APIGroupDiscoveryList'
  );
}

function documentResponse(document: JsonObject, request: HttpRequest, cbor: boolean): HttpResponse {
  const mediaTypes: readonly MediaType[] = cbor ? ['json', 'yaml', 'cbor'] : ['json', 'yaml'];
  const offer = { mediaTypes, transforms: [] };
  const { mediaType, pretty } = negotiate(request.header('accept'), offer);
  return valueResponse(200, document, { mediaType, pretty: pretty || wantsPretty(request) });
}
