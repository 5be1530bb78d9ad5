import type { UserInfo } from '../../meta/index.ts';
import type { AuthorizationAttributes } from './authorization-attributes.ts';
import type { AllowedRule, AllowedRules, AuthorizationDecision, Authorizer } from './authorizer.ts';

type Decided = AuthorizationDecision | Promise<AuthorizationDecision>;

/**
 * Asks authorizers in order: the first that allows or denies decides. If none has an opinion, the request is not
 * allowed and the reasons of all are joined. Source: apiserver, authorization/union.
 */
export class AuthorizerChain implements Authorizer {
  readonly #authorizers: readonly Authorizer[];

  constructor(authorizers: readonly Authorizer[]) {
    this.#authorizers = Object.freeze([...authorizers]);
  }

  authorize(attributes: AuthorizationAttributes): Decided {
    return this.#askFrom(0, attributes, []);
  }

  onChange(listener: () => void): () => void {
    const ends = this.#authorizers.flatMap((authorizer) => authorizer.onChange?.(listener) ?? []);
    return () => {
      for (const end of ends) end();
    };
  }

  #askFrom(start: number, attributes: AuthorizationAttributes, before: AuthorizationDecision[]): Decided {
    for (let at = start; at < this.#authorizers.length; at += 1) {
      const decided = this.#authorizers[at]?.authorize(attributes);
      if (decided instanceof Promise) {
        return decided.then((one) => {
          before.push(one);
          return one.verdict === 'no-opinion' ? this.#askFrom(at + 1, attributes, before) : one;
        });
      }
      if (decided === undefined) continue;
      if (decided.verdict !== 'no-opinion') return decided;
      before.push(decided);
    }
    return joined(before);
  }

  /** The rules of all authorizers that can list them. */
  async rulesFor(user: UserInfo, namespace: string): Promise<AllowedRules> {
    const rules: AllowedRule[] = [];
    const errors: string[] = [];
    let incomplete = false;
    for (const authorizer of this.#authorizers) {
      const listed = await authorizer.rulesFor?.(user, namespace);
      if (listed === undefined) continue;
      rules.push(...listed.rules);
      incomplete ||= listed.incomplete;
      if (listed.evaluationError !== '') errors.push(listed.evaluationError);
    }
    return { rules, incomplete, evaluationError: aggregateText(errors) };
  }
}

function joined(decisions: readonly AuthorizationDecision[]): AuthorizationDecision {
  const reasons = decisions.map(({ reason }) => reason).filter((reason) => reason !== '');
  const errors = decisions.flatMap(({ evaluationError }) => evaluationError ?? []);
  const reason = reasons.join('\n');
  if (errors.length === 0) return { verdict: 'no-opinion', reason };
  return { verdict: 'no-opinion', reason, evaluationError: aggregateText(errors) };
}

/**
 * Several errors as upstream's aggregate prints them: a single one unchanged, several in brackets, without duplicates.
 */
export function aggregateText(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length > 1 ? `[${unique.join(', ')}]` : (unique[0] ?? '');
}
