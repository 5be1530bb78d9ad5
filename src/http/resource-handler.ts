import { DecodeError, decodeCbor, encodeJson, supportsProtobuf } from '../codec/index.ts';
import { checkPathName } from './check-path-name.ts';
import { explainAdmission } from './request-context/explain-admission.ts';
import {
  badRequestError,
  type Clock,
  deleteOptionsFromBody,
  FieldSelector,
  fieldManagerFromUserAgent,
  type ListOptions,
  limits,
  methodNotSupportedError,
  routeMethodError,
  parseCreateOptions,
  parseDeleteOptions,
  parseIncludeObject,
  parseListOptions,
  parsePatchOptions,
  parseUpdateOptions,
  type SelectorOptions,
  type Slices,
  systemSlices,
  systemTimers,
  type Timers,
  type UserInfo,
} from '../meta/index.ts';
import {
  type ObjectTarget,
  objectTargetOf,
  type Registry,
  type RequestBody,
  type RequestContext,
  type ResponseObject,
  type Target,
  type RequestEffects,
} from '../registry/index.ts';
import { bodyFormat, patchFormat } from './content-type.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { negotiate } from './negotiate.ts';
import { listResponse, objectResponse, offerOf, type Wanted } from './object-response.ts';
import { TableRows } from './table/table-rows.ts';
import type { ResourcePath } from './request-info.ts';
import { statusResponse, wantsPretty } from './responses.ts';
import { withSelectorPlan } from './selector-plan.ts';
import type { AdmissionLog } from './request-log.ts';
import { SharedPieces } from './watch/shared-pieces.ts';
import { Turns } from './watch/turns.ts';
import { watchResponse } from './watch/watch-response.ts';

/** An API verb, as in authorization and metrics. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** A resource request on its way to the registry. */
interface ResourceRequest {
  readonly http: HttpRequest;
  readonly path: ResourcePath;
  readonly verb: Verb;
  readonly user: UserInfo;
  readonly effects: RequestEffects;
  readonly admissionLog: AdmissionLog | undefined;
}

/** The verb of a request; undefined for an unsupported method. */
export function verbOf(method: string, path: ResourcePath, query: URLSearchParams): Verb | undefined {
  if (path.watch) return 'watch';
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (path.name !== '') return 'get';
      return isTrue(query.get('watch')) ? 'watch' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return path.name === '' ? 'deletecollection' : 'delete';
    default:
      return undefined;
  }
}

/** A boolean parameter is false if it is absent, `0` or `false`; any other value is true. */
function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/** The verbs of subresources: `DELETE` of a status must not delete the object. */
const subresourceVerbs: ReadonlySet<Verb> = new Set(['get', 'update', 'patch']);

function hasVerb({ type }: Target, { subresource }: ResourcePath, verb: Verb): boolean {
  if (subresource === '') return true;
  const further = type.furtherSubresources?.find(({ name }) => name === subresource);
  return further === undefined ? subresourceVerbs.has(verb) : further.verbs.some((one) => one === verb);
}

type Handle = (target: Target, request: ResourceRequest) => HttpResponse | Promise<HttpResponse>;

interface ResourceHandlerParts {
  readonly clock: Clock;
  readonly timers?: Timers;
  readonly random: () => number;
  readonly selectors: SelectorOptions;
  /** Whether CBOR is accepted and produced; default false. */
  readonly cbor?: boolean;
  /** The time slice after which work yields to other requests. */
  readonly slices?: Slices;
}

/** Handles resource requests: reads options and bodies, calls the registry, and builds the response. */
export class ResourceHandler {
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #turns = new Turns();
  readonly #pieces = new SharedPieces();
  readonly #random: () => number;
  readonly #selectors: SelectorOptions;
  readonly #cbor: boolean;
  readonly #listing: { readonly clock: Clock; readonly rows: TableRows; readonly slices: Slices };
  readonly #verbs: Readonly<Record<Verb, Handle>>;

  constructor(registry: Registry, parts: ResourceHandlerParts) {
    this.#registry = registry;
    this.#clock = parts.clock;
    this.#timers = parts.timers ?? systemTimers;
    this.#random = parts.random;
    this.#selectors = parts.selectors;
    this.#cbor = parts.cbor === true;
    this.#listing = {
      clock: parts.clock,
      rows: new TableRows(limits.tableRowsBytesMax),
      slices: parts.slices ?? systemSlices(),
    };
    this.#verbs = {
      get: (target, request) => this.#get(target, request),
      list: (target, request) => this.#list(target, request),
      watch: (target, request) => this.#watch(target, request),
      create: (target, request) => this.#create(target, request),
      update: (target, request) => this.#update(target, request),
      patch: (target, request) => this.#patch(target, request),
      delete: (target, request) => this.#delete(target, request),
      deletecollection: (target, request) => this.#deleteCollection(target, request),
    };
  }

  /**
   * A promise only if something is awaited.
   *
   * @throws {StatusError} the registry's refusals, 405 for an unsupported verb; also as a rejection
   */
  handle(target: Target, request: ResourceRequest): HttpResponse | Promise<HttpResponse> {
    const { path, verb } = request;
    if (!hasVerb(target, path, verb)) throw unsupported(target, verb);
    return this.#verbs[request.verb](target, request);
  }

  #get(target: Target, request: ResourceRequest): HttpResponse | Promise<HttpResponse> {
    checkPathName(request.path);
    const one = targetOfPath(target, request.path);
    const shown = this.#registry.shownAt(one);
    const wanted = this.#wanted(shown, request, 'object');
    const resourceVersion = request.http.query.get('resourceVersion') ?? '';
    const got = this.#registry.get({ target: one, resourceVersion, context: contextOf(request) });
    const { clock, slices } = this.#listing;
    const answer = (found: ResponseObject) =>
      objectResponse(200, found, { target: shown, wanted, clock, slices });
    return got instanceof Promise ? got.then(answer) : answer(got);
  }

  async #list(target: Target, request: ResourceRequest): Promise<HttpResponse> {
    const wanted = this.#wanted(target, request, 'list');
    const options = parseListOptions(request.http.query, this.#selectors);
    const page = await this.#registry.list({ target, options, context: contextOf(request) });
    const response = await listResponse(page, { target, wanted, ...this.#listing });
    return withSelectorPlan(response, () => page.plan.text, request);
  }

  async #watch(target: Target, request: ResourceRequest): Promise<HttpResponse> {
    const wanted = this.#wanted(target, request, 'watch');
    const options = narrowed(parseListOptions(request.http.query, this.#selectors), request.path);
    const watch = await this.#registry.watch({ target, options, context: contextOf(request) });
    const response = watchResponse(watch, {
      target,
      representation: wanted.representation,
      include: wanted.include,
      allowBookmarks: options.allowWatchBookmarks,
      asMessages: request.http.takesMessages === true,
      timeoutMs: this.#watchTimeoutMs(options),
      clock: this.#clock,
      timers: this.#timers,
      turns: this.#turns,
      pieces: this.#pieces,
      slices: this.#listing.slices,
    });
    return withSelectorPlan(response, watch.plan, request);
  }

  /**
   * Randomized if the client gives no timeout, so that watches do not all end at once. A negative timeout has passed.
   */
  #watchTimeoutMs({ timeoutSeconds = 0 }: ListOptions): number {
    if (timeoutSeconds !== 0) return Math.max(timeoutSeconds * 1000, 0);
    return limits.watchTimeoutMsMin * (1 + this.#random());
  }

  async #create(target: Target, request: ResourceRequest): Promise<HttpResponse> {
    // The name of a custom resource is that of its body.
    if (request.path.name !== '' && target.type.isBuiltIn) throw unsupported(target, 'create');
    const wanted = this.#wanted(target, request, 'object');
    const body = await this.#readObjectBody(target, request);
    const options = parseCreateOptions(request.http.query);
    const responseObject = await this.#registry.create({
      target,
      body,
      options,
      context: contextOf(request, options),
    });
    return objectResponse(201, responseObject, { target, wanted, ...this.#listing });
  }

  async #update(target: Target, request: ResourceRequest): Promise<HttpResponse> {
    requireName(target, request.path, 'update');
    const one = targetOfPath(target, request.path);
    const shown = this.#registry.shownAt(one);
    const wanted = this.#wanted(shown, request, 'object');
    const options = parseUpdateOptions(request.http.query);
    const body = await this.#readObjectBody(shown, request);
    const { responseObject, created } = await this.#registry.update({
      target: one,
      body,
      options,
      context: contextOf(request, options),
    });
    return objectResponse(created ? 201 : 200, responseObject, { target: shown, wanted, ...this.#listing });
  }

  async #patch(target: Target, request: ResourceRequest): Promise<HttpResponse> {
    if (target.type.isBuiltIn) requireName(target, request.path, 'patch');
    const types = this.#registry.patchTypes(target);
    const { type, isCbor } = patchFormat(request.http.header('content-type'), { types, cbor: this.#cbor });
    requireName(target, request.path, 'patch');
    checkPathName(request.path);
    const one = targetOfPath(target, request.path);
    const shown = this.#registry.shownAt(one);
    const wanted = this.#wanted(shown, request, 'object');
    const body = await request.http.body();
    const bytes = isCbor ? jsonOfCborPatch(body) : body;
    const options = parsePatchOptions(request.http.query, { isApply: type === 'apply' });
    const { responseObject, created } = await this.#registry.patch({
      target: one,
      type,
      bytes,
      options,
      context: contextOf(request, options),
    });
    return objectResponse(created ? 201 : 200, responseObject, { target: shown, wanted, ...this.#listing });
  }

  /** A deleted object is reported by a Status for most kinds; one that finalizers keep is returned. */
  async #delete(target: Target, request: ResourceRequest): Promise<HttpResponse> {
    checkPathName(request.path);
    const wanted = this.#wanted(target, request, 'object');
    const options = await readDeleteOptions(request, this.#registry, this.#cbor);
    const result = await this.#registry.delete({
      target: targetOfPath(target, request.path),
      options,
      context: contextOf(request),
    });
    if (!result.showsObject) {
      const { details } = result;
      const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details } as const;
      return statusResponse(status, 200, request.http);
    }
    const accepted = options.orphanDependents === false ? 202 : 200;
    return objectResponse(accepted, result.responseObject, { target, wanted, ...this.#listing });
  }

  async #deleteCollection(target: Target, request: ResourceRequest): Promise<HttpResponse> {
    if (target.type.lacksDeleteCollection) throw unsupported(target, 'delete');
    const wanted = this.#wanted(target, request, 'list');
    const listOptions = parseListOptions(request.http.query, this.#selectors);
    const options = await readDeleteOptions(request, this.#registry, this.#cbor);
    const page = await this.#registry.deleteCollection({
      target,
      listOptions,
      options,
      context: contextOf(request),
    });
    return listResponse(page, { target, wanted, ...this.#listing });
  }

  async #readObjectBody({ type }: Target, { http }: ResourceRequest): Promise<RequestBody> {
    const { kind, storageVersion } = type;
    // Kinds of OpenAPI documents have no messages: 415 makes typed clients send JSON.
    const protobuf = type.isBuiltIn && supportsProtobuf(type.group, storageVersion.name, kind);
    const accepted = { protobuf, cbor: this.#cbor };
    const format = bodyFormat(http.header('content-type'), accepted);
    return { bytes: await http.body(), format };
  }

  #wanted(target: Target, { http }: ResourceRequest, shape: 'object' | 'list' | 'watch'): Wanted {
    const representation = negotiate(http.header('accept'), offerOf(target, shape, { cbor: this.#cbor }));
    const include = representation.transform?.as === 'Table' ? parseIncludeObject(http.query) : 'Metadata';
    return { representation, include, pretty: representation.pretty || wantsPretty(http), hold: http.hold };
  }
}

function targetOfPath(target: Target, path: ResourcePath): ObjectTarget {
  const endpoint = endpoints.get(path.subresource) ?? '';
  return objectTargetOf(target, path.name, endpoint);
}

const endpoints: ReadonlyMap<string, ObjectTarget['endpoint']> = new Map([
  ['status', 'status'],
  ['scale', 'scale'],
  ['finalize', 'finalize'],
  ['approval', 'approval'],
  ['ephemeralcontainers', 'ephemeralcontainers'],
  ['resize', 'resize'],
]);

/** A watch by an object's path is a watch by name. */
function narrowed(options: ListOptions, { name }: ResourcePath): ListOptions {
  if (name === '') return options;
  const asked = options.fieldSelector.exactValue('metadata.name');
  if (asked !== undefined && asked !== name) {
    throw badRequestError("fieldSelector metadata.name doesn't match requested name");
  }
  const byName = { field: 'metadata.name', operator: '=', value: name } as const;
  return { ...options, fieldSelector: new FieldSelector([...options.fieldSelector.requirements, byName]) };
}

/** @throws {StatusError} 400, or 405 for built-in kinds, if a path names no object */
function requireName(target: Target, { name }: ResourcePath, action: string): void {
  if (name !== '') return;
  throw target.type.isBuiltIn ? unsupported(target, action) : badRequestError('name must be provided');
}

/** Built-in kinds have their own routes upstream, so that other requests get the router's message. */
export function unsupported(target: Target, action: string) {
  if (target.type.isBuiltIn) return routeMethodError();
  return methodNotSupportedError(target.resource.groupResource, action);
}

function contextOf(request: ResourceRequest, options?: { readonly fieldManager: string }): RequestContext {
  return new HttpRequestContext(request, options?.fieldManager);
}

/** A class, because creating an object literal with a getter takes longer than many reads. */
class HttpRequestContext implements RequestContext {
  readonly user: UserInfo;
  readonly warnings: RequestContext['warnings'];
  readonly defer: RequestContext['defer'];
  readonly explain: RequestContext['explain'];
  readonly annotate: RequestContext['annotate'];
  readonly onObject: RequestContext['onObject'];
  readonly track: RequestContext['track'];
  readonly #http: HttpRequest;
  readonly #fieldManager: string | undefined;

  constructor({ user, effects, http, admissionLog }: ResourceRequest, fieldManager: string | undefined) {
    this.user = user;
    this.warnings = effects.warnings;
    this.defer = effects.defer;
    this.explain = explainAdmission(http, effects.warnings, admissionLog);
    this.annotate = http.annotate;
    this.onObject = http.onObject;
    this.track = http.track;
    this.#fieldManager = fieldManager;
    this.#http = http;
  }

  get fieldManager(): string {
    return this.#fieldManager || fieldManagerFromUserAgent(this.#http.header('user-agent') ?? '');
  }

  get signal(): AbortSignal {
    return this.#http.signal;
  }
}

/** @throws {StatusError} 400 for a patch that is not CBOR */
function jsonOfCborPatch(bytes: Uint8Array): Uint8Array {
  try {
    return encodeJson(decodeCbor(bytes));
  } catch (error) {
    if (error instanceof DecodeError) throw badRequestError(`error decoding patch: ${error.message}`);
    throw error;
  }
}

/** The options of a delete are in the body, or in the query without a body. */
async function readDeleteOptions({ http }: ResourceRequest, { bodies }: Registry, cbor: boolean) {
  const bytes = await http.body();
  if (bytes.length === 0) return parseDeleteOptions(http.query);
  const format = bodyFormat(http.header('content-type'), { protobuf: true, cbor });
  return deleteOptionsFromBody(await bodies.options({ bytes, format }));
}
