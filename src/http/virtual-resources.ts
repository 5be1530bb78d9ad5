import type { AccountIssuer } from '../auth/index.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { binding, bindingResources } from './pods/binding.ts';
import { eviction, evictionResource } from './pods/eviction.ts';
import {
  type PodConnectionKind,
  type PodConnectionParts,
  podConnectionResponse,
} from './pods/pod-connection.ts';
import { podLog } from './pods/pod-log.ts';
import { podProxy } from './pods/pod-proxy.ts';
import { podResponse, podsName, type PodRequestKind, type PodRequestParts } from './pods/pod-request.ts';
import { podAttach, podExec, podPortForward } from './pods/pod-streams.ts';
import type { ResourcePath } from './request-info.ts';
import type { ReviewParts } from './reviews/review-kind.ts';
import { findReview, reviewKinds, reviewResponse } from './reviews/reviews.ts';
import { isTokenRequest, tokenRequestResource, tokenResponse } from './service-accounts/token-request.ts';

const podConnections: ReadonlyMap<string, { readonly kind: string; readonly connection: PodConnectionKind }> =
  new Map([
    ['attach', { kind: 'PodAttachOptions', connection: podAttach }],
    ['exec', { kind: 'PodExecOptions', connection: podExec }],
    ['log', { kind: 'Pod', connection: podLog }],
    ['portforward', { kind: 'PodPortForwardOptions', connection: podPortForward }],
    ['proxy', { kind: 'PodProxyOptions', connection: podProxy }],
  ]);

/** Resources and subresources that are not stored, with their discovery entries. */
export const virtualResources = Object.freeze([
  ...reviewKinds,
  tokenRequestResource,
  ...bindingResources,
  evictionResource,
  ...[...podConnections].map(
    ([
      name,
      {
        kind,
        connection: { verbs },
      },
    ]) => ({
      ...podsName,
      resource: `pods/${name}`,
      kind,
      verbs,
      namespaced: true,
    }),
  ),
]);

/** The dependencies of virtual resources. */
interface VirtualParts
  extends PodRequestParts,
    PodConnectionParts,
    Omit<ReviewParts, 'namespace' | 'bodies'> {
  readonly issuer: AccountIssuer;
}

type Respond = (http: HttpRequest, parts: VirtualParts) => Promise<HttpResponse>;

/** Handles requests for a virtual resource; undefined for paths of stored objects. */
export function findVirtual(path: ResourcePath): Respond | undefined {
  const review = findReview(path);
  if (review !== undefined)
    return (http, parts) => {
      const { bodies } = parts.registry;
      return reviewResponse(review, http, { ...parts, bodies, namespace: path.namespace });
    };
  if (isTokenRequest(path)) return (http, parts) => tokenResponse(http, path, parts);
  const connection = podConnection(path);
  if (connection !== undefined) {
    return (http, parts) => podConnectionResponse(http, path, { kind: connection, parts });
  }
  const kind = podRequestKind(path);
  return kind && ((http, parts) => podResponse(http, path, { kind, parts }));
}

function podConnection(path: ResourcePath): PodConnectionKind | undefined {
  const { group, version, resource, subresource, namespace, hasMore } = path;
  if (resource !== 'pods' || group !== '' || version !== 'v1' || namespace === '') return undefined;
  const connection = podConnections.get(subresource)?.connection;
  return hasMore && connection?.takesPath !== true ? undefined : connection;
}

const podRequests: ReadonlyMap<string, PodRequestKind> = new Map([
  ['pods/binding', binding],
  ['pods/eviction', eviction],
]);

function podRequestKind(path: ResourcePath): PodRequestKind | undefined {
  const { resource, subresource } = path;
  const isOfPod = resource === 'pods' && subresource !== '';
  if (!isOfPod && resource !== 'bindings') return undefined;
  if (path.group !== '' || path.version !== 'v1' || path.namespace === '' || path.hasMore) return undefined;
  if (isOfPod) return podRequests.get(`${resource}/${subresource}`);
  return path.name === '' ? binding : undefined;
}
