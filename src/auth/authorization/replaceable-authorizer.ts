import type { UserInfo } from '../../meta/index.ts';
import type { AuthorizationAttributes } from './authorization-attributes.ts';
import type { AllowedRules, AuthorizationDecision, Authorizer } from './authorizer.ts';

/**
 * An authorizer that can be replaced at run time, for example by a new configuration file. Watches are then authorized
 * again.
 */
export class ReplaceableAuthorizer implements Authorizer {
  #current: Authorizer;
  readonly #listeners = new Set<() => void>();
  #endCurrent: (() => void) | undefined;

  constructor(first: Authorizer) {
    this.#current = first;
    this.#follow();
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    return this.#current.authorize(attributes);
  }

  async rulesFor(user: UserInfo, namespace: string): Promise<AllowedRules> {
    const rules = await this.#current.rulesFor?.(user, namespace);
    return rules ?? { rules: [], incomplete: true, evaluationError: '' };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  replace(next: Authorizer): void {
    this.#endCurrent?.();
    this.#current = next;
    this.#follow();
    this.#changed();
  }

  #follow(): void {
    this.#endCurrent = this.#current.onChange?.(() => this.#changed());
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
