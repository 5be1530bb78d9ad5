import type {
  AuthorizationAttributes,
  ResourceAttributes,
} from '../authorization/authorization-attributes.ts';
import type { AuthorizationDecision } from '../authorization/authorizer.ts';
import type { GrantedRule, Grants } from './access-rules.ts';
import type { PolicyRule } from './policy-rule.ts';
import { ruleCoversName, ruleCoversResource, ruleCoversUrl } from './rule-allows.ts';

/** The number of cached decisions for a user in a namespace. */
const rememberedMax = 500;

/** A rule and the decision if it allows the request. */
interface Candidate {
  readonly rule: PolicyRule;
  readonly decision: AuthorizationDecision;
}

/**
 * The rules of one user in one namespace. The rules for a verb on a resource are cached, so that the next such request
 * compares only names.
 */
export class UserRules {
  readonly grants: Grants;
  readonly #allow: (granted: GrantedRule) => AuthorizationDecision;
  readonly #candidates = new Map<string, readonly Candidate[]>();

  constructor(grants: Grants, allow: (granted: GrantedRule) => AuthorizationDecision) {
    this.grants = grants;
    this.#allow = allow;
  }

  /** The decision of the first rule that allows a request; undefined if none does. */
  find({ verb, resource, path }: AuthorizationAttributes): AuthorizationDecision | undefined {
    if (resource === undefined) return this.#ofUrl(verb, path);
    for (const { rule, decision } of this.#about(verb, resource)) {
      if (ruleCoversName(rule, resource.name)) return decision;
    }
    return undefined;
  }

  #ofUrl(verb: string, path: string): AuthorizationDecision | undefined {
    const granted = this.grants.rules.find(({ rule }) => ruleCoversUrl(rule, verb, path));
    return granted && this.#allow(granted);
  }

  #about(verb: string, resource: ResourceAttributes): readonly Candidate[] {
    const key = kindOf(verb, resource);
    const known = this.#candidates.get(key);
    if (known !== undefined) return known;
    const found = this.grants.rules
      .filter(({ rule }) => ruleCoversResource(rule, verb, resource))
      .map((granted) => ({ rule: granted.rule, decision: this.#allow(granted) }));
    if (this.#candidates.size >= rememberedMax) this.#candidates.clear();
    this.#candidates.set(key, found);
    return found;
  }
}

/**
 * The key contains lengths, because reviews may use any characters: `x/` of `userextras` must differ from
 * `userextras/x`.
 */
function kindOf(verb: string, { group, resource, subresource }: ResourceAttributes): string {
  return `${verb.length} ${group.length} ${resource.length} ${verb}${group}${resource}${subresource}`;
}
