import type { UserInfo } from '../../meta/index.ts';
import type { AuthorizationAttributes } from './authorization-attributes.ts';

/** With no opinion, the next authorizer decides. */
type Verdict = 'allow' | 'deny' | 'no-opinion';

/** An authorizer's decision on a request. */
export interface AuthorizationDecision {
  readonly verdict: Verdict;
  /** For audit events and refusals; empty if there is no reason to give. */
  readonly reason: string;
  /** An error that made the evaluation incomplete; reviews show it as `evaluationError`. */
  readonly evaluationError?: string;
}

/** A rule that lists what is allowed, as `kubectl auth can-i --list` prints it. */
export type AllowedRule =
  | {
      readonly verbs: readonly string[];
      readonly apiGroups: readonly string[];
      readonly resources: readonly string[];
      readonly resourceNames: readonly string[];
    }
  | { readonly verbs: readonly string[]; readonly nonResourceURLs: readonly string[] };

/** What an authorizer allows a user in a namespace, as far as it can list that. */
export interface AllowedRules {
  readonly rules: readonly AllowedRule[];
  /** True if more may be allowed than the rules list. */
  readonly incomplete: boolean;
  readonly evaluationError: string;
}

/** Decides which users may do what. */
export interface Authorizer {
  /** Returns a plain value where possible: every request waits for it. */
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision>;
  /** What a user may do in a namespace; missing if the authorizer cannot list it. */
  rulesFor?(user: UserInfo, namespace: string): AllowedRules | Promise<AllowedRules>;
  /**
   * Calls back when decisions may have changed, so that watches are authorized again. Returns the unsubscribe function.
   */
  onChange?(listener: () => void): () => void;
}

export const noOpinion: AuthorizationDecision = Object.freeze({ verdict: 'no-opinion', reason: '' });
export const allowed: AuthorizationDecision = Object.freeze({ verdict: 'allow', reason: '' });
