import { randomUUID } from 'node:crypto';
import type { Auditor } from '../audit/index.ts';
import {
  anonymousUser,
  type Authentication,
  type Authenticator,
  type Authorizer,
  Impersonator,
} from '../auth/index.ts';
import type { FlowHeaders } from '../flowcontrol/index.ts';
import {
  type Clock,
  internalError,
  notFoundError,
  routeNotFoundError,
  StatusError,
  systemTimers,
  type Timers,
  timeoutError,
  type SelectorOptions,
  type Slices,
} from '../meta/index.ts';
import {
  attemptFromCache,
  type CachedWrite,
  type Found,
  type RequestEffects,
  type Target,
  targetOf,
  Warnings,
} from '../registry/index.ts';
import { AuditedExchange } from './audit/audited-exchange.ts';
import { impersonate, impersonationHeaders } from './access/impersonation.ts';
import { authenticateRequest, authorizeRequest } from './access/request-access.ts';
import { requestAttributes } from './access/request-attributes.ts';
import { WatchRights } from './access/watch-rights.ts';
import { type DocumentParts, DocumentRoutes } from './document-routes.ts';
import { ConnectionDropped, chain, type KnownRequest, type RequestFilter } from './filter.ts';
import type { OverloadGate, WatchCounts } from './overload/index.ts';
import type { BeginWork, HttpRequest, HttpResponse } from './message.ts';
import { type AdmissionLog, noteAnswered, type RequestLog } from './request-log.ts';
import { parseResourcePath, type ResourcePath } from './request-info.ts';
import { ResourceHandler, unsupported, type Verb, verbOf } from './resource-handler.ts';
import { finish } from './response-headers.ts';
import { takesMethod } from './methods.ts';
import { beforeDeadline, deadlineMsOf } from './request-deadline.ts';
import { refusalResponse } from './responses.ts';
import type { SlowRequests } from './slow-requests.ts';
import { findVirtual } from './virtual-resources.ts';

/** The dependencies of the handler. */
export interface HandlerParts extends DocumentParts {
  readonly authenticator: Authenticator;
  /** Authenticates bearer tokens only, for TokenReviews. */
  readonly tokens: Authenticator;
  readonly authorizer: Authorizer;
  /** Run between authorization and handling, in this order. */
  readonly filters?: readonly RequestFilter[];
  /** Serves paths that need no user, such as the pages of the console; undefined for all other paths. */
  readonly pages?: ((http: HttpRequest) => Promise<HttpResponse> | undefined) | undefined;
  /** Whether CBOR is accepted and produced; default false. */
  readonly cbor?: boolean;
  /** Runs before the requests for resources that need it; undefined for all others. */
  readonly prepare?: (path: ResourcePath, verb: Verb | undefined) => Promise<void> | undefined;
  /** Whether pods and nodes are simulated, so that pods have logs; default false. */
  readonly simulatesPods?: boolean;
  readonly selectors: SelectorOptions;
  readonly clock: Clock;
  readonly timers?: Timers;
  /** The timeout of requests other than watches; if omitted, only their `timeout` parameter counts. */
  readonly requestTimeoutMs?: number | undefined;
  readonly random: () => number;
  /** Counts the watches that come over the network. */
  readonly watches: WatchCounts;
  /** Admits requests and limits how many run at once. */
  readonly gate: OverloadGate;
  /** The time slice after which a request yields to others. */
  readonly slices?: Slices;
  /** Called for slow requests, if it is set. */
  readonly slow?: SlowRequests;
  /** Called for each request after its response. */
  readonly requestLog?: RequestLog | undefined;
  /** Called with the admission record of each write. */
  readonly admissionLog?: AdmissionLog | undefined;
  /** Writes the audit log. */
  readonly auditor?: Auditor | undefined;
  /** Called with every bug. */
  readonly onBug: (error: unknown, request: HttpRequest) => void;
}

/**
 * Runs a request through authentication, authorization, flow control and handling, and converts every failure into its
 * response. A watch releases its seat once it has started.
 */
export class Handler {
  readonly #parts: HandlerParts;
  readonly #resources: ResourceHandler;
  readonly #documents: DocumentRoutes;
  readonly #watchRights: WatchRights;
  readonly #impersonator: Impersonator;

  constructor(parts: HandlerParts) {
    this.#parts = parts;
    this.#resources = new ResourceHandler(parts.registry, parts);
    this.#documents = new DocumentRoutes(parts);
    this.#impersonator = new Impersonator(parts.authorizer);
    this.#watchRights = new WatchRights({ ...parts, timers: parts.timers ?? systemTimers });
  }

  /** Responds to a request. @throws {ConnectionDropped} if a filter wants no response; nothing else */
  async handle(http: HttpRequest, begin?: BeginWork): Promise<HttpResponse> {
    const warnings = new Warnings();
    const startedMs = this.#parts.clock.now();
    const path = parseResourcePath(http.path);
    const verb =
      path === undefined || path.resource === '' ? undefined : verbOf(http.method, path, http.query);
    const auditId = http.header('audit-id') ?? randomUUID();
    const audit = new AuditedExchange(this.#parts.auditor, http, { auditId, receivedMs: startedMs });
    const noted: Noted = { user: '', flowHeaders: undefined };
    const answering = { path, verb, warnings, begin, audit, noted };
    let response: HttpResponse;
    let flowHeaders: Noted['flowHeaders'];
    try {
      const ms = deadlineMsOf(http, { verb, maxMs: this.#parts.requestTimeoutMs });
      const serving = this.#served(http, answering);
      response = await (ms === undefined ? serving : this.#inTime(serving, http, ms));
      flowHeaders = noted.flowHeaders;
    } catch (error) {
      response = await this.#failed(error, http, audit);
    }
    // A request that cannot be audited is refused: a failure of the audit log has a response as well.
    if (this.#parts.auditor !== undefined) response = await audit.answered(response);
    this.#note(http, answering, { code: response.status, startedMs });
    return finish(response, { http, warnings, auditId, flowHeaders });
  }

  async #failed(error: unknown, http: HttpRequest, audit: AuditedExchange): Promise<HttpResponse> {
    if (error instanceof ConnectionDropped) throw error;
    if (!(error instanceof StatusError) && this.#parts.auditor !== undefined) await audit.panicked();
    return this.#failure(error, http);
  }

  #inTime(serving: Promise<HttpResponse>, http: HttpRequest, ms: number): Promise<HttpResponse> {
    const timers = this.#parts.timers ?? systemTimers;
    return beforeDeadline(serving, { ms, timers, onLate: () => http.expire?.() });
  }

  /** Counts a finished request and calls the request log. */
  #note(
    http: HttpRequest,
    { path, verb, noted }: Answering,
    { code, startedMs }: { readonly code: number; readonly startedMs: number },
  ): void {
    const { metrics, clock } = this.#parts;
    const ms = clock.now() - startedMs;
    metrics.observe({ http, path, verb, code, seconds: ms / 1000 });
    noteAnswered(this.#parts, http, { code, ms, user: noted.user, isWatch: verb === 'watch' });
  }

  #authenticated(http: HttpRequest, answering: Answering): Authentication | Promise<Authentication> {
    const refuse = (error: unknown) => this.#unauthenticated(error, http, answering);
    try {
      const authenticate = () => authenticateRequest(this.#parts.authenticator, http);
      const found = answering.audit.timed(authenticate, {
        layer: 'authentication',
        clock: this.#parts.clock,
      });
      return found instanceof Promise ? found.catch(refuse) : found;
    } catch (error) {
      return refuse(error);
    }
  }

  async #unauthenticated(
    error: unknown,
    http: HttpRequest,
    { path, verb, audit }: Answering,
  ): Promise<never> {
    const nobody = { http, user: anonymousUser, path, verb };
    await audit.unauthenticated(requestAttributes(nobody, this.#parts.selectors));
    throw error;
  }

  async #served(asked: HttpRequest, answering: Answering): Promise<HttpResponse> {
    const { authenticator, authorizer, auditor, selectors } = this.#parts;
    const { path, verb, audit } = answering;
    const page = this.#parts.pages?.(asked);
    if (page !== undefined) {
      asked.onPage?.();
      return page;
    }
    const found =
      auditor === undefined
        ? authenticateRequest(authenticator, asked)
        : this.#authenticated(asked, answering);
    const { user, expiresAtMs } = found instanceof Promise ? await found : found;
    answering.noted.user = user.name;
    asked.onUser?.(user);
    let known: KnownRequest = { http: asked, user, path, verb };
    let attributes = requestAttributes(known, selectors);
    if (auditor !== undefined) {
      const received = audit.received(attributes);
      known = { ...known, http: received instanceof Promise ? await received : received };
    }
    const headers = impersonationHeaders(asked);
    if (headers.length > 0) {
      const asOther = () => impersonate(this.#impersonator, headers, attributes);
      const impersonation = await audit.timed(asOther, { layer: 'impersonation', clock: this.#parts.clock });
      if (impersonation !== undefined) audit.impersonates(impersonation);
      known = { ...known, user: impersonation?.user ?? user };
      attributes = requestAttributes(known, selectors);
    }
    const authorize = () => authorizeRequest(authorizer, attributes, (decision) => audit.decided(decision));
    const authorizing =
      auditor === undefined
        ? authorize()
        : audit.timed(authorize, { layer: 'authorization', clock: this.#parts.clock });
    if (authorizing !== undefined) await authorizing;
    const { filters = [] } = this.#parts;
    const response =
      filters.length === 0
        ? await this.#gated(known, answering)
        : await chain(filters, known, () => this.#gated(known, answering));
    return verb === 'watch'
      ? this.#watchRights.guard(response, {
          attributes,
          expiresAtMs,
          authenticate: () => authenticateRequest(authenticator, asked),
        })
      : response;
  }

  #failure(error: unknown, http: HttpRequest): HttpResponse {
    if (error instanceof StatusError)
      return refusalResponse(error, http, { cbor: this.#parts.cbor === true });
    if (http.signal.aborted) return refusalResponse(timeoutError('the client went away'), http);
    this.#parts.onBug(error, http);
    return refusalResponse(internalError('unexpected error, look in the logs for details'), http);
  }

  /** Waits for a seat, and releases it when the response exists. A list first waits for buffer space. */
  async #gated(known: KnownRequest, { warnings, begin, noted }: Answering): Promise<HttpResponse> {
    const { http, verb } = known;
    if (verb === 'list') await http.hold?.room(http.signal);
    if (verb === 'watch') http.hold?.whenOver(this.#parts.watches.begin(known.user.name));
    const entering = this.#parts.gate.enter(known);
    const entered = entering instanceof Promise ? await this.#waited(entering, http) : entering;
    noted.flowHeaders = entered.headers;
    if ('response' in entered) return entered.response;
    try {
      if (begin !== undefined && !(await begin(known.user.name))) throw new ConnectionDropped();
      const routed = this.#route(known, warnings);
      return routed instanceof Promise ? await routed : routed;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return this.#failure(error, known.http);
    } finally {
      entered.leave();
    }
  }

  async #waited<T>(entering: Promise<T>, http: HttpRequest): Promise<T> {
    const { clock } = this.#parts;
    const startedMs = clock.now();
    const entered = await entering;
    http.track?.('apf-queue-wait', clock.now() - startedMs);
    return entered;
  }

  /** A promise only if the request has to wait; reads from the cache do not. */
  #route(known: KnownRequest, warnings: Warnings): HttpResponse | Promise<HttpResponse> {
    const { http, path, user, verb } = known;
    if (path === undefined || path.resource === '') return this.#documents.respond(http, path?.group);
    const prepared = this.#parts.prepare?.(path, verb);
    if (prepared !== undefined) return prepared.then(() => this.#routeResource(known, path, warnings));
    if (verb !== undefined && verb !== 'watch' && findVirtual(path) === undefined) {
      const served = this.#parts.registry.findNow(path);
      const target = served && targetOfServed(served, { path, verb });
      if (target !== undefined) return this.#handle(target, { http, user, path, verb }, { warnings });
    }
    return this.#routeResource(known, path, warnings);
  }

  async #routeResource(known: KnownRequest, path: ResourcePath, warnings: Warnings): Promise<HttpResponse> {
    const { http, user, verb } = known;
    const respond = findVirtual(path);
    if (respond !== undefined) {
      const { authorizer, tokens, registry, accounts, admissionLog, simulatesPods = false } = this.#parts;
      const { issuer } = accounts;
      const parts = { authorizer, tokens, registry, issuer, warnings, user, admissionLog, simulatesPods };
      return respond(http, parts);
    }
    const narrowed = { http, user, path, verb };
    const written = await this.#writeFromCache(narrowed, warnings);
    if (written !== undefined) return written;
    const target = await this.#findTarget(path, verb, http.query);
    if (target === undefined) return this.#documents.notServed(path.group);
    return this.#handle(target, narrowed, { warnings });
  }

  /** Tries a write from cached state; undefined if it must use the latest state. */
  async #writeFromCache(known: KnownPath, warnings: Warnings): Promise<HttpResponse | undefined> {
    const { path } = known;
    const verb = cachedWriteVerb(known);
    if (verb === undefined) return undefined;
    const { namespace, subresource } = path;
    const found = this.#parts.registry.findCached({ verb, name: path, namespace, subresource });
    if (found === undefined || found.type.namespaced !== (namespace !== '')) return undefined;
    if (path.hasMore && found.type.isBuiltIn) return undefined;
    const target = targetOf(found, namespace, found.freshness);
    return attemptFromCache({ warnings }, async (effects) => this.#handle(target, known, effects));
  }

  #handle(target: Target, known: KnownPath, effects: RequestEffects): HttpResponse | Promise<HttpResponse> {
    const { http, path, verb, user } = known;
    const { deprecationWarning } = target.version;
    if (deprecationWarning !== undefined) effects.warnings.add(deprecationWarning);
    if (path.subresource !== '' && !this.#parts.registry.hasSubresource(target, path.subresource)) {
      if (target.type.isBuiltIn) throw routeNotFoundError();
      throw notFoundError(target.resource.groupResource, path.name);
    }
    if (verb === undefined || !takesMethod(target.type, { method: http.method, verb, path }))
      throw unsupported(target, '');
    const { admissionLog } = this.#parts;
    return this.#resources.handle(target, { http, path, verb, user, effects, admissionLog });
  }

  /** The resource of a path, if its scope fits: namespaced resources may be listed and watched across namespaces. */
  async #findTarget(
    path: ResourcePath,
    verb: Verb | undefined,
    query: URLSearchParams,
  ): Promise<Target | undefined> {
    const { registry } = this.#parts;
    const revision = namedRevision(verb, query);
    const served =
      revision === undefined
        ? await registry.findLatest(path, { toRead: verb === 'get' || verb === 'list' })
        : await registry.findAtLeast(path, revision);
    return served && targetOfServed(served, { path, verb });
  }
}

/** The target of a path, if it fits the scope of the resource. */
function targetOfServed(
  served: Found,
  { path, verb }: { readonly path: ResourcePath; readonly verb: Verb | undefined },
): Target | undefined {
  if (path.hasMore && served.type.isBuiltIn) return undefined;
  const { namespaced } = served.type;
  if (!namespaced && path.namespace !== '') return undefined;
  if (namespaced && path.namespace === '' && verb !== 'list' && verb !== 'watch') return undefined;
  return targetOf(served, path.namespace, served.freshness);
}

/** What is learned about a request on its way. */
interface Noted {
  /** The name of the authenticated user. */
  user: string;
  /** Of the gate. */
  flowHeaders: FlowHeaders | undefined;
}

/** A request that is answered. */
interface Answering {
  readonly warnings: Warnings;
  readonly begin: BeginWork | undefined;
  readonly audit: AuditedExchange;
  readonly noted: Noted;
  readonly path: ResourcePath | undefined;
  readonly verb: Verb | undefined;
}

/** A request for a resource. */
type KnownPath = KnownRequest & { readonly path: ResourcePath };

/**
 * The verb of a write that may start from cached state, because its commit checks that the state is still the latest. A
 * dry run commits nothing (a delete declares it in the body, and refuses the cached state itself), and another
 * representation might be refused after the commit.
 */
function cachedWriteVerb({ verb, path, http }: KnownPath): CachedWrite['verb'] | undefined {
  if (http.query.has('dryRun') || http.header('accept')?.includes('as=') === true) return undefined;
  if (verb === 'create') return path.subresource === '' ? verb : undefined;
  return verb === 'update' || verb === 'patch' || verb === 'delete' ? verb : undefined;
}

/** The revision that a read requires at least; 0 if it is not a number, which the verb refuses. */
function namedRevision(verb: Verb | undefined, query: URLSearchParams): number | undefined {
  const reads = verb === 'get' || verb === 'list' || verb === 'watch';
  const text = query.get('resourceVersion') ?? '';
  if (!reads || text === '') return undefined;
  const revision = Number(text);
  return Number.isSafeInteger(revision) && revision > 0 ? revision : 0;
}
