import type { AccountIssuer } from '../auth/index.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { binding, bindingResources } from './pods/binding.ts';
import { eviction, evictionResource } from './pods/eviction.ts';
import { podResponse, type PodRequestKind, type PodRequestParts } from './pods/pod-request.ts';
import type { ResourcePath } from './request-info.ts';
import type { ReviewParts } from './reviews/review-kind.ts';
import { findReview, reviewKinds, reviewResponse } from './reviews/reviews.ts';
import { isTokenRequest, tokenRequestResource, tokenResponse } from './service-accounts/token-request.ts';

/** Resources and subresources that only support POST and are not stored, with their discovery entries. */
export const virtualResources = Object.freeze([
  ...reviewKinds,
  tokenRequestResource,
  ...bindingResources,
  evictionResource,
]);

/** The dependencies of virtual resources. */
interface VirtualParts extends PodRequestParts, Omit<ReviewParts, 'namespace' | 'bodies'> {
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
  const kind = podRequestKind(path);
  return kind && ((http, parts) => podResponse(http, path, { kind, parts }));
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
