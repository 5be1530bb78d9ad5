import type { ResourceType } from '../../crd/index.ts';
import { type SwaggerFormat, swaggerProtobuf } from '../../discovery/index.ts';
import { unstoredType } from '../../kinds/index.ts';
import { type Clock, type Slices, systemClock, systemSlices } from '../../meta/index.ts';
import type { Catalog, Registry } from '../../registry/index.ts';
import { hasAlready } from './etag.ts';
import type { HttpRequest, HttpResponse } from '../message.ts';
import { parseAccept } from '../negotiate.ts';
import { reviewKinds } from '../reviews/reviews.ts';
import { documentUrl, OpenApiDocuments } from './openapi-documents.ts';
import { type Document, SwaggerDocuments } from './swagger-documents.ts';
import { swaggerJson } from './swagger-json.ts';

const reviewTypes = reviewKinds.map(unstoredType);
const json = 'application/json';
/** The spelling of {@link swaggerProtobuf} in clients before Kubernetes 1.23. */
const oldProtobufType = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const yearMs = 365 * 24 * 60 * 60 * 1000;

/** The offered media types of Swagger 2.0; wildcards get the first one. */
const swaggerFormats: readonly (readonly [mediaType: string, format: SwaggerFormat])[] = [
  [json, swaggerJson],
  [swaggerProtobuf.contentType, swaggerProtobuf],
  [oldProtobufType, swaggerProtobuf],
];

interface OpenApiHandlerOptions {
  readonly clock?: Clock;
  /** The time slice for building documents. */
  readonly slices?: Slices;
}

/** Documents that describe every resource, for `kubectl explain` and client generators. */
export class OpenApiHandler {
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #documents: OpenApiDocuments;
  readonly #swagger: ReadonlyMap<SwaggerFormat, SwaggerDocuments>;
  #catalog: Catalog | undefined;
  #types: readonly ResourceType[] = [];

  constructor(
    registry: Registry,
    { clock = systemClock, slices = systemSlices() }: OpenApiHandlerOptions = {},
  ) {
    this.#registry = registry;
    this.#clock = clock;
    this.#documents = new OpenApiDocuments(slices);
    this.#swagger = new Map(
      swaggerFormats.map(([, format]) => [format, new SwaggerDocuments(format, slices)]),
    );
  }

  /** The response to a request below `/openapi`; undefined for a path without a document. */
  async respond(request: HttpRequest, steps: readonly string[]): Promise<HttpResponse | undefined> {
    const [version, ...rest] = steps;
    const types = this.#typesOf(await this.#registry.availableCatalog());
    if (version === 'v2' && rest.length === 0) return this.#swaggerResponse(request, types);
    if (version !== 'v3') return undefined;
    if (rest.length > 0) return this.#groupVersionResponse(request, rest.join('/'), types);
    return documentResponse(request, await this.#documents.index(types), { 'content-type': json });
  }

  /** The same array while the catalog is unchanged, in an order independent of creation order. */
  #typesOf(catalog: Catalog): readonly ResourceType[] {
    if (catalog !== this.#catalog) {
      this.#catalog = catalog;
      this.#types = [...reviewTypes, ...catalog.resources.map(({ type }) => type)]
        .filter(({ established }) => established)
        .sort((a, b) => (resourceName(a) < resourceName(b) ? -1 : 1));
    }
    return this.#types;
  }

  async #swaggerResponse(request: HttpRequest, types: readonly ResourceType[]): Promise<HttpResponse> {
    const mediaType = pick(
      request,
      swaggerFormats.map(([name]) => name),
    );
    const format = swaggerFormats.find(([name]) => name === mediaType)?.[1];
    const documents = format && this.#swagger.get(format);
    if (documents === undefined) return notAcceptable();
    return documentResponse(request, await documents.of(types), {
      'content-type': format?.contentType ?? json,
      vary: 'Accept',
    });
  }

  async #groupVersionResponse(
    request: HttpRequest,
    path: string,
    types: readonly ResourceType[],
  ): Promise<HttpResponse | undefined> {
    if (pick(request, [json]) === undefined) return notAcceptable();
    const document = await this.#documents.of(path, types);
    if (document === undefined) return undefined;
    const headers = { 'content-type': json, vary: 'Accept' };
    const asked = request.query.get('hash') ?? '';
    if (asked === '') return documentResponse(request, document, headers);
    if (asked !== document.hash) return movedTo(documentUrl(path, document.hash));
    const expires = new Date(this.#clock.now() + yearMs).toUTCString();
    return documentResponse(request, document, { ...headers, 'cache-control': 'public, immutable', expires });
  }
}

/** `widgets.example.com` */
function resourceName({ resource, group }: ResourceType): string {
  return `${resource}.${group}`;
}

/** The offered media type that the client prefers; undefined if it accepts none. */
function pick(request: HttpRequest, offer: readonly string[]): string | undefined {
  const clauses = parseAccept(request.header('accept') ?? '');
  if (clauses.length === 0) return offer[0];
  for (const { type } of clauses) {
    const found = offer.find((name) => type === name || type === 'application/*' || type === '*/*');
    if (found !== undefined) return found;
  }
  return undefined;
}

function documentResponse(
  request: HttpRequest,
  { pieces, hash }: Document,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  const unchanged = hasAlready(request, hash);
  return {
    status: unchanged ? 304 : 200,
    headers: { ...headers, etag: `"${hash}"` },
    body: unchanged ? [] : pieces,
  };
}

/** The hash in the URL is outdated. */
function movedTo(location: string): HttpResponse {
  return { status: 301, headers: { location, vary: 'Accept' }, body: [] };
}

function notAcceptable(): HttpResponse {
  return { status: 406, headers: { vary: 'Accept' }, body: [] };
}
