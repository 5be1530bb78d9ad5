import type {
  AllowedRules,
  AuthorizationAttributes,
  AuthorizationDecision,
  Authorizer,
} from '../auth/index.ts';
import { type Clock, type JsonObject, limits, own, ownObject, ownString } from '../meta/index.ts';
import { type ServiceClient, WebhookError } from '../webhook/index.ts';
import type { AccessConditions } from './match-conditions.ts';
import { reviewSpec } from './review-spec.ts';

export interface WebhookAuthorizerOptions {
  readonly client: Pick<ServiceClient, 'post' | 'close'>;
  readonly clock: Clock;
  readonly conditions: AccessConditions;
  /** How long allowing answers are cached; 0 disables the cache. */
  readonly allowedMs: number;
  /** How long other answers are cached. */
  readonly otherMs: number;
  /** The decision if there is no answer. */
  readonly onFailure: 'no-opinion' | 'deny';
}

interface Kept {
  readonly decision: AuthorizationDecision;
  readonly untilMs: number;
}

const noOpinion: AuthorizationDecision = Object.freeze({ verdict: 'no-opinion', reason: '' });
/** Longer questions are not cached: users choose them. */
const keptCharsMax = 10_000;

/** Asks a webhook for decisions, by a SubjectAccessReview of `v1`. Source: apiserver, plugin/pkg/authorizer/webhook. */
export class WebhookAuthorizer implements Authorizer {
  readonly #options: WebhookAuthorizerOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: WebhookAuthorizerOptions) {
    this.#options = options;
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    const spec = reviewSpec(attributes);
    try {
      if (!this.#options.conditions.match(spec)) return noOpinion;
    } catch (error) {
      return this.#failed(error);
    }
    const key = JSON.stringify(spec);
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#options.clock.now() < kept.untilMs) return kept.decision;
    return this.#ask(key, spec);
  }

  rulesFor(): AllowedRules {
    const evaluationError = 'webhook authorizer does not support user rule resolution';
    return { rules: [], incomplete: true, evaluationError };
  }

  close(): void {
    this.#options.client.close();
  }

  async #ask(key: string, spec: JsonObject): Promise<AuthorizationDecision> {
    try {
      const review = await this.#options.client.post({
        kind: 'SubjectAccessReview',
        apiVersion: 'authorization.k8s.io/v1',
        metadata: { creationTimestamp: null },
        spec,
        status: { allowed: false },
      });
      const decision = decisionOf(ownObject(review, 'status') ?? {});
      if (key.length <= keptCharsMax) this.#keep(key, decision);
      return decision;
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      return this.#failed(error);
    }
  }

  #keep(key: string, decision: AuthorizationDecision): void {
    const { allowedMs, otherMs, clock } = this.#options;
    const keepMs = decision.verdict === 'allow' ? allowedMs : otherMs;
    if (keepMs <= 0) return;
    if (this.#kept.size >= limits.knownTokensMax) this.#kept.clear();
    this.#kept.set(key, { decision, untilMs: clock.now() + keepMs });
  }

  #failed(error: unknown): AuthorizationDecision {
    const evaluationError = error instanceof Error ? error.message : String(error);
    return { verdict: this.#options.onFailure, reason: '', evaluationError };
  }
}

function decisionOf(status: JsonObject): AuthorizationDecision {
  const [allowed, denied] = [own(status, 'allowed') === true, own(status, 'denied') === true];
  const reason = ownString(status, 'reason') ?? '';
  if (denied && allowed) {
    const evaluationError = 'webhook subject access review returned both allow and deny response';
    return { verdict: 'deny', reason, evaluationError };
  }
  if (denied) return { verdict: 'deny', reason };
  return { verdict: allowed ? 'allow' : 'no-opinion', reason };
}
