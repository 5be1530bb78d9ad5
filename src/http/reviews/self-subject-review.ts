import type { ReviewKind } from './review-kind.ts';
import { userObject } from './user-object.ts';

/** SelfSubjectReview: `kubectl auth whoami`. */
export const selfSubjectReview: ReviewKind = {
  group: 'authentication.k8s.io',
  version: 'v1',
  resource: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
  namespaced: false,
  answer: (_, { user }) => ({ status: { userInfo: userObject(user) } }),
};
