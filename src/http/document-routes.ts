import type { AccountIssuer } from '../auth/index.ts';
import { routeMethodError, routeNotFoundError } from '../meta/index.ts';
import type { Registry } from '../registry/index.ts';
import type { DiscoveryHandler } from './documents/index.ts';
import { type HealthChecks, healthResponse } from './health.ts';
import { type HttpRequest, type HttpResponse, pageNotFound } from './message.ts';
import { isForGetAlone } from './methods.ts';
import type { RequestMetrics } from './metrics/index.ts';
import { valueResponse } from './responses.ts';
import { reviewKinds } from './reviews/reviews.ts';
import { openIdResponse } from './service-accounts/openid-documents.ts';

export interface DocumentParts {
  readonly registry: Registry;
  readonly discovery: DiscoveryHandler;
  readonly health: HealthChecks;
  readonly metrics: RequestMetrics;
  /** Issues service account tokens; `jwksUri` is the address of the keys. */
  readonly accounts: { readonly issuer: AccountIssuer; readonly jwksUri: () => string };
  readonly version: Readonly<Record<string, string>>;
  /** Serves upstream's debugging endpoints; undefined for any other path. */
  readonly debug?: (http: HttpRequest) => HttpResponse | undefined;
}

/** Serves non-resource paths: probes, metrics, keys, discovery, OpenAPI. */
export class DocumentRoutes {
  readonly #parts: DocumentParts;

  constructor(parts: DocumentParts) {
    this.#parts = parts;
  }

  /**
   * @param group the API group in the path, if any
   * @throws {StatusError} 404 and 405 with the messages of upstream's router
   */
  async respond(http: HttpRequest, group: string | undefined): Promise<HttpResponse> {
    const response = await this.#find(http);
    if (response === undefined) return this.notServed(group);
    const isBuiltIn = this.#isBuiltIn(group);
    if (http.method !== 'GET' && isForGetAlone(http.path, { isBuiltIn })) throw routeMethodError();
    return response;
  }

  /** Upstream's router has routes for built-in groups; anything else is 404 page not found. */
  notServed(group: string | undefined): HttpResponse {
    if (this.#isBuiltIn(group)) throw routeNotFoundError();
    return pageNotFound();
  }

  #isBuiltIn(group: string | undefined): boolean {
    if (group === undefined) return false;
    return (
      reviewKinds.some((kind) => kind.group === group) || this.#parts.registry.catalog.isBuiltInGroup(group)
    );
  }

  async #find(http: HttpRequest): Promise<HttpResponse | undefined> {
    const { health, metrics, accounts, debug, discovery } = this.#parts;
    const healthy = await healthResponse(health, http);
    if (healthy !== undefined) return healthy;
    if (http.path === '/version' || http.path === '/version/') return this.#version();
    if (http.path === '/metrics') return metrics.response();
    const openId = await openIdResponse(accounts.issuer, http, accounts.jwksUri());
    return openId ?? debug?.(http) ?? discovery.respond(http);
  }

  /** Always indented, as upstream. */
  #version(): HttpResponse {
    return valueResponse(200, { ...this.#parts.version }, { mediaType: 'json', pretty: true });
  }
}
