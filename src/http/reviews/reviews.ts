import { type JsonObject, routeMethodError } from '../../meta/index.ts';
import { bodyFormat } from '../content-type.ts';
import { type HttpRequest, type HttpResponse, pageNotFound } from '../message.ts';
import { negotiate } from '../negotiate.ts';
import type { ResourcePath } from '../request-info.ts';
import { valueResponse, wantsPretty } from '../responses.ts';
import { localSubjectAccessReview, selfSubjectAccessReview, subjectAccessReview } from './access-reviews.ts';
import type { ReviewKind, ReviewParts } from './review-kind.ts';
import { selfSubjectReview } from './self-subject-review.ts';
import { selfSubjectRulesReview } from './self-subject-rules-review.ts';
import { tokenReview } from './token-review.ts';

/** All reviews. A new one is a file and a line here. */
export const reviewKinds: readonly ReviewKind[] = Object.freeze([
  selfSubjectReview,
  tokenReview,
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
]);

const reviewResources: ReadonlySet<string> = new Set(reviewKinds.map(({ resource }) => resource));

/** The review kind of a path, if any. */
export function findReview(
  path: Pick<ResourcePath, 'group' | 'version' | 'resource'>,
): ReviewKind | undefined {
  if (!reviewResources.has(path.resource)) return undefined;
  return reviewKinds.find(
    (kind) => kind.group === path.group && kind.version === path.version && kind.resource === path.resource,
  );
}

/** Handles a review. @throws {StatusError} 400, 405 for anything but POST, 406, 415, 422 */
export async function reviewResponse(
  kind: ReviewKind,
  http: HttpRequest,
  parts: ReviewParts,
): Promise<HttpResponse> {
  if (http.method !== 'POST') throw routeMethodError();
  if (kind.namespaced !== (parts.namespace !== '')) return pageNotFound();
  const { mediaType, pretty } = negotiate(http.header('accept'), {
    mediaTypes: ['json', 'yaml', 'protobuf'],
    transforms: [],
  });
  const format = bodyFormat(http.header('content-type'), { protobuf: true });
  const apiVersion = `${kind.group}/${kind.version}`;
  const expected = { kind: kind.kind, apiVersion, isDefault: true };
  const { object } = await parts.bodies.object({ bytes: await http.body(), format }, expected);
  const { spec = object['spec'], status } = await kind.answer(object, parts);
  const metadata: JsonObject = { creationTimestamp: null };
  if (kind.namespaced) metadata['namespace'] = parts.namespace;
  const answer: JsonObject = {
    kind: kind.kind,
    apiVersion,
    metadata,
    ...(spec === undefined ? {} : { spec }),
    status,
  };
  return valueResponse(201, answer, { mediaType, pretty: pretty || wantsPretty(http) });
}
