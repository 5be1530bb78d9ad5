import type { Authenticator, Authorizer } from '../../auth/index.ts';
import type { JsonObject, KubeObject, UserInfo } from '../../meta/index.ts';
import type { RequestBodies } from '../../registry/index.ts';

/** The caller of a review, and its dependencies. */
export interface ReviewParts {
  readonly user: UserInfo;
  /** The namespace of the URL; empty outside of one. */
  readonly namespace: string;
  readonly authorizer: Authorizer;
  readonly bodies: RequestBodies;
  /** Authenticates only tokens. */
  readonly tokens: Authenticator;
}

/** The result of a review. Omitted fields stay as in the request. */
interface ReviewAnswer {
  readonly spec?: JsonObject;
  readonly status: JsonObject;
}

/** A virtual kind: the response to a POST is the review with its status. */
export interface ReviewKind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** @throws {StatusError} 400, 422 for an incomplete review */
  answer(asked: KubeObject, parts: ReviewParts): ReviewAnswer | Promise<ReviewAnswer>;
}
