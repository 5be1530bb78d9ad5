import {
  badRequestError,
  ensureMetadata,
  invalidError,
  isObject,
  type JsonObject,
  type KubeObject,
  metadataString,
  own,
  ownObject,
  ownString,
  stringList,
  type UserInfo,
} from '../../meta/index.ts';
import { askedAttributes } from './review-attributes.ts';
import { validateAccessReview } from './validate-access-review.ts';
import type { ReviewKind, ReviewParts } from './review-kind.ts';

const shared = { group: 'authorization.k8s.io', version: 'v1' } as const;

/** SelfSubjectAccessReview: `kubectl auth can-i`. */
export const selfSubjectAccessReview: ReviewKind = {
  ...shared,
  resource: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
  answer: (asked, parts) => judge(asked, parts, { namesUser: false, local: false }),
};

/** SubjectAccessReview: whether a given user may do something. */
export const subjectAccessReview: ReviewKind = {
  ...shared,
  resource: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  namespaced: false,
  answer: (asked, parts) => judge(asked, parts, { namesUser: true, local: false }),
};

/** LocalSubjectAccessReview: for administrators of one namespace. */
export const localSubjectAccessReview: ReviewKind = {
  ...shared,
  resource: 'localsubjectaccessreviews',
  kind: 'LocalSubjectAccessReview',
  namespaced: true,
  answer: (asked, parts) => {
    const named = metadataString(asked, 'namespace');
    if (named === '') ensureMetadata(asked)['namespace'] = parts.namespace;
    return judge(asked, parts, { namesUser: true, local: true });
  },
};

async function judge(
  asked: KubeObject,
  { user, namespace, authorizer }: ReviewParts,
  options: { readonly namesUser: boolean; readonly local: boolean },
) {
  const errors = validateAccessReview(asked, options);
  // Upstream's object has no kind during validation.
  if (errors.length > 0) throw invalidError({ group: shared.group, kind: '' }, '', errors);
  if (options.local && namespace !== metadataString(asked, 'namespace')) {
    throw badRequestError(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
  }
  const spec = ownObject(asked, 'spec') ?? {};
  const { attributes, unread } = askedAttributes(spec, options.namesUser ? askedUser(spec) : user);
  const { verdict, reason, evaluationError = '' } = await authorizer.authorize(attributes);
  const failures = [evaluationError, ...unread].filter((text) => text !== '').join('; ');
  const status: JsonObject = {
    allowed: verdict === 'allow',
    ...(verdict === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(failures === '' ? {} : { evaluationError: failures }),
  };
  return { status };
}

/** The user in the spec, with only the groups listed there. */
function askedUser(spec: JsonObject): UserInfo {
  const uid = ownString(spec, 'uid') ?? '';
  const extra = ownObject(spec, 'extra');
  return {
    name: ownString(spec, 'user') ?? '',
    groups: stringList(own(spec, 'groups')),
    ...(uid === '' ? {} : { uid }),
    ...(extra === undefined || !isObject(extra) ? {} : { extra: extraOf(extra) }),
  };
}

function extraOf(extra: JsonObject): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(extra).map(([key, values]) => [key.toLowerCase(), stringList(values)]));
}
