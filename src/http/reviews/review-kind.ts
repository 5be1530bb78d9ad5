import type { Authenticator, Authorizer } from '../../auth/index.ts';
import type { JsonObject, KubeObject, UserInfo } from '../../meta/index.ts';

/** Who asks for a review, and who answers. */
export interface ReviewParts {
  readonly user: UserInfo;
  /** The namespace of the URL; empty outside of one. */
  readonly namespace: string;
  readonly authorizer: Authorizer;
  /** Judges tokens, and nothing else. */
  readonly tokens: Authenticator;
}

/** What a review comes to. Fields that are left out stay as they were asked. */
interface ReviewAnswer {
  readonly spec?: JsonObject;
  readonly status: JsonObject;
}

/** A kind that is asked, not stored: a POST is answered with what the server thinks. */
export interface ReviewKind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** @throws {StatusError} 400, 422 for a review that asks nothing */
  answer(asked: KubeObject, parts: ReviewParts): ReviewAnswer | Promise<ReviewAnswer>;
}
