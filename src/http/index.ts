export {
  DurationHistogram,
  fieldGateMetrics,
  frozenObjectMetrics,
  indexMetrics,
  type MetricFamily,
  type MetricSource,
  RequestMetrics,
} from './metrics/index.ts';
export { DiscoveryHandler, OpenApiHandler } from './documents/index.ts';
export { ConnectionDropped, type KnownRequest, type RequestFilter } from './filter.ts';
export type { SlowRequest, SlowRequests } from './slow-requests.ts';
export { Handler, type HandlerParts } from './handler.ts';
export { type InProcessFetch, inProcessFetch } from './in-process/in-process-fetch.ts';
export { keySetPath } from './service-accounts/openid-documents.ts';
export { isServed } from './is-served.ts';
export { type HttpRequest, type HttpResponse, isStream, type RequestHandler } from './message.ts';
export {
  ConnectionCounts,
  type Listening,
  type ListenOptions,
  type ListenTls,
  listen,
  type NamedPair,
  type TlsMaterial,
} from './listener/index.ts';
export {
  type AnswerBuffers,
  systemAnswerBuffers,
  WatchCounts,
  type WatchLimits,
  eventLoopMetrics,
  FairnessGate,
  flowDump,
  InFlightGate,
} from './overload/index.ts';
export type { AdmissionLog, RequestLine, RequestLog } from './request-log.ts';
export type { ResourcePath } from './request-info.ts';
export { virtualResources } from './virtual-resources.ts';
export type { Verb } from './resource-handler.ts';
export { valueResponse } from './responses.ts';
export { tooManyRequests } from './too-many-requests.ts';
export { versionInfo } from './version-info.ts';
