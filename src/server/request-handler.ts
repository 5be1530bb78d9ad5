import {
  type AnswerBuffers,
  type ConnectionCounts,
  DiscoveryHandler,
  fieldGateMetrics,
  frozenObjectMetrics,
  indexMetrics,
  Handler,
  isServed,
  keySetPath,
  OpenApiHandler,
  RequestMetrics,
  versionInfo,
  WatchCounts,
} from '../http/index.ts';
import { limits, systemClock, systemTimers } from '../meta/index.ts';
import type { Console } from '../console/index.ts';
import { definitionReports } from './definition-reports.ts';
import { localApiServices } from './local-api-services.ts';
import { makeAuthenticators } from './authenticators.ts';
import { isSimulating } from './run-controllers.ts';
import { consoleEndpoints, withConsole } from './run-console.ts';
import { serverStatus } from './server-status.ts';
import { shareOfThread } from './threads/thread-share.ts';
import { processMetrics } from './process-metrics.ts';
import { type RunningParts, selectorsOf } from './running-parts.ts';
import { mergeMetrics } from './threads/merge-metrics.ts';
import type { ServerOptions } from './options.ts';
import type { Users } from './users.ts';

/** The dependencies of a handler that belong to the whole server. */
interface HandlerParts {
  readonly users: Users;
  readonly address: { readonly text: string };
  readonly console: Console | undefined;
  readonly connections: ConnectionCounts;
  readonly buffers: AnswerBuffers;
  readonly onTrouble: (error: unknown) => void;
}

/** Handles all requests, from the network and from inside the process. */
export function makeHandler(running: RunningParts, options: ServerOptions, parts: HandlerParts): Handler {
  const { registry, access, serviceAccounts, storage, slices, overload, stop, configurationWrites } = running;
  const keepApiServices = localApiServices(registry, { signal: stop.signal, onTrouble: parts.onTrouble });
  const clock = options.clock ?? systemClock;
  const watches = new WatchCounts(watchLimits(options));
  const reachable = { name: storage.name, check: storage.check };
  const keyServices = keyServiceChecks(options);
  const ping = { name: 'ping', check: async () => {} };
  const { live, ready } = threadChecks(options);
  const { authenticator, tokens, signIn } = makeAuthenticators(options, {
    users: parts.users,
    serviceAccounts,
    sessions: parts.console?.authenticator,
  });
  const metrics = requestMetrics(running, parts, { watches, threads: options.threads });
  const { pages, filters } = consoleEndpoints(parts.console, signIn, {
    status: serverStatus(storage, options, clock),
    isAudited: options.auditor !== undefined,
    notesSlowRequests: options.slowRequests !== undefined,
  });
  offerToThreads(options, metrics, parts.console);
  return new Handler({
    registry,
    discovery: new DiscoveryHandler(registry, {
      openApi: new OpenApiHandler(registry, { slices }),
      serverAddress: () => parts.address.text,
      cbor: options.featureGates?.CBORServingAndStorage === true,
    }),
    authenticator,
    tokens,
    pages,
    accounts: {
      issuer: serviceAccounts.issuer,
      jwksUri: () => serviceAccounts.jwksUri ?? `https://${parts.address.text}${keySetPath}`,
    },
    authorizer: access.authorizer,
    filters: [
      ...filters,
      ...(parts.console === undefined ? [] : [definitionReports(registry, access.authorizer)]),
      ...(options.filters ?? []),
    ],
    health: {
      healthz: [ping, ...keyServices],
      livez: [ping, ...live],
      readyz: [ping, reachable, ...keyServices, ...ready],
    },
    metrics,
    selectors: selectorsOf(options),
    cbor: options.featureGates?.CBORServingAndStorage === true,
    prepare: (path, verb) =>
      keepApiServices(path) ?? (isWrite(verb) ? configurationWrites?.caughtUp() : undefined),
    simulatesPods: isSimulating(options),
    version: versionInfo,
    clock,
    timers: options.timers ?? systemTimers,
    requestTimeoutMs: options.requestTimeoutMs,
    random: Math.random,
    slices,
    watches,
    gate: overload.gate,
    ...(overload.debug && { debug: overload.debug }),
    ...withConsole(parts.console, options),
    requestLog: options.requestLog,
    admissionLog: options.admissionLog,
    onBug: parts.onTrouble,
  });
}

function watchLimits({ threads, watchLimits: given }: ServerOptions) {
  const { watchesMax, watchesPerUserMax } = { ...limits, ...given };
  return {
    watchesMax: shareOfThread(watchesMax, threads?.count),
    watchesPerUserMax: shareOfThread(watchesPerUserMax, threads?.count),
  };
}

/** What this thread knows of the process' answers. */
function offerToThreads({ threads }: ServerOptions, metrics: RequestMetrics, console: Console | undefined) {
  const none = { texts: [], total: 0 };
  threads?.offer({
    metrics: () => metrics.text(),
    slowRequests: () => console?.activity.slowRequests.list() ?? none,
    auditEvents: () => console?.activity.auditEvents.list() ?? none,
  });
}

function requestMetrics(
  { registry, metrics, overload }: RunningParts,
  { connections, buffers }: HandlerParts,
  { watches, threads }: { readonly watches: WatchCounts; readonly threads: ServerOptions['threads'] },
): RequestMetrics {
  const combine = threads && (async () => mergeMetrics(await threads.gather('metrics')));
  return new RequestMetrics(
    { isServed: (path) => isServed(registry, path) },
    {
      ...(combine && { combine }),
      families: [
        ...fieldGateMetrics(registry),
        ...indexMetrics(registry),
        ...connections.families(),
        ...buffers.families(),
        ...watches.families(),
        ...overload.families,
        ...processMetrics(),
      ],
      sources: [frozenObjectMetrics(registry), ...metrics],
    },
  );
}

const reads: ReadonlySet<string | undefined> = new Set(['get', 'list', 'watch']);
const isWrite = (verb: string | undefined) => !reads.has(verb);

/** Any thread answers probes for all of them. */
function threadChecks({ threads }: ServerOptions) {
  if (threads === undefined) return { live: [], ready: [] };
  const { states } = threads;
  return {
    live: [{ name: 'workers', check: () => states.checkLive() }],
    ready: [{ name: 'workers', check: () => states.checkReady() }],
  };
}

/** Upstream's check: of all key services together, and in place from the start where a new configuration may add some. */
function keyServiceChecks({ encryption }: ServerOptions) {
  if (encryption === undefined || (encryption.services.count === 0 && !encryption.isReplaceable)) return [];
  return [{ name: 'kms-providers', check: () => encryption.services.check() }];
}
