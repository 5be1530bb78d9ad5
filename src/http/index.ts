export { DiscoveryHandler } from './discovery-handler.ts';
export { Handler, type HandlerParts } from './handler.ts';
export type { HealthCheck, HealthChecks } from './health.ts';
export { type InProcessFetch, inProcessFetch } from './in-process-fetch.ts';
export type { HttpRequest, HttpResponse } from './message.ts';
export { RequestMetrics } from './metrics.ts';
export { type Listening, type ListenOptions, listen } from './node-server.ts';
export { OpenApiHandler } from './openapi-handler.ts';
export { versionInfo } from './version-info.ts';
