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
import { processMetrics } from './process-metrics.ts';
import { type RunningParts, selectorsOf } from './running-parts.ts';
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
  const { registry, access, serviceAccounts, storage, slices, overload, stop } = running;
  const clock = options.clock ?? systemClock;
  const watches = new WatchCounts({ ...limits, ...options.watchLimits });
  const reachable = { name: storage.name, check: storage.check };
  const keyServices = keyServiceChecks(options);
  const ping = { name: 'ping', check: async () => {} };
  const { authenticator, tokens, signIn } = makeAuthenticators(options, {
    users: parts.users,
    serviceAccounts,
    sessions: parts.console?.authenticator,
  });
  const { pages, filters } = consoleEndpoints(parts.console, signIn, {
    status: serverStatus(storage, options, clock),
    isAudited: options.auditor !== undefined,
    notesSlowRequests: options.slowRequests !== undefined,
  });
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
      livez: [ping],
      readyz: [ping, reachable, ...keyServices],
    },
    metrics: requestMetrics(running, parts, watches),
    selectors: selectorsOf(options),
    cbor: options.featureGates?.CBORServingAndStorage === true,
    prepare: localApiServices(registry, { signal: stop.signal, onTrouble: parts.onTrouble }),
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

function requestMetrics(
  { registry, metrics, overload }: RunningParts,
  { connections, buffers }: HandlerParts,
  watches: WatchCounts,
): RequestMetrics {
  return new RequestMetrics(
    { isServed: (path) => isServed(registry, path) },
    {
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

/** Upstream's check: of all key services together, and in place from the start where a new configuration may add some. */
function keyServiceChecks({ encryption }: ServerOptions) {
  if (encryption === undefined || (encryption.services.count === 0 && !encryption.isReplaceable)) return [];
  return [{ name: 'kms-providers', check: () => encryption.services.check() }];
}
