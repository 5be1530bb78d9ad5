import type { UserInfo } from '../../meta/index.ts';
import type { AuthorizationAttributes } from './authorization-attributes.ts';

/** An authorizer without an opinion leaves the decision to the next one. */
type Verdict = 'allow' | 'deny' | 'no-opinion';

/** What an authorizer says of a request. */
export interface AuthorizationDecision {
  readonly verdict: Verdict;
  /** For people, in audit events and refusals; empty where there is nothing to say. */
  readonly reason: string;
  /** What kept the authorizer from looking at everything: reviews show it as their `evaluationError`. */
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

/** Everything that an authorizer allows a user in a namespace, as far as it can list that. */
export interface AllowedRules {
  readonly rules: readonly AllowedRule[];
  /** True where more may be allowed than the rules say. */
  readonly incomplete: boolean;
  readonly evaluationError: string;
}

/** Says who may do what. */
export interface Authorizer {
  /** Decides without a promise where it can: every request waits for it. */
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision>;
  /** What a user may do in a namespace; an authorizer that lacks this cannot list it. */
  rulesFor?(user: UserInfo, namespace: string): AllowedRules | Promise<AllowedRules>;
  /** Calls back when decisions may have changed, so that watches are judged anew. Gives what ends that. */
  onChange?(listener: () => void): () => void;
}

export const noOpinion: AuthorizationDecision = Object.freeze({ verdict: 'no-opinion', reason: '' });
export const allowed: AuthorizationDecision = Object.freeze({ verdict: 'allow', reason: '' });
