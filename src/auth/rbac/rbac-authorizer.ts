import type { UserInfo } from '../../meta/index.ts';
import type { AuthorizationAttributes } from '../authorization/authorization-attributes.ts';
import { aggregateText } from '../authorization/authorizer-chain.ts';
import type {
  AllowedRule,
  AllowedRules,
  AuthorizationDecision,
  Authorizer,
} from '../authorization/authorizer.ts';
import type { AccessRules, Bound, GrantedRule, RoleBinding } from './access-rules.ts';
import type { PolicyRule, Subject } from './policy-rule.ts';
import { UserRules } from './user-rules.ts';

/** Roles and bindings, once they are loaded. */
export interface RulesSource {
  readonly rules: AccessRules;
  /** Undefined once all stored objects are loaded; before that, a promise of it. */
  loading(): Promise<void> | undefined;
}

/** The number of cached pairs of user and namespace, small enough that evicted entries are still young for the GC. */
const rememberedMax = 2_000;

/**
 * Allows what roles and bindings allow, and has no opinion otherwise.
 * Source: kubernetes, plugin/pkg/auth/authorizer/rbac/rbac.go.
 */
export class RbacAuthorizer implements Authorizer {
  readonly #source: RulesSource;
  /**
   * Cached users, with their rules by namespace. All requests with the same credentials share a user object. Not a
   * WeakMap: its GC cost with many users exceeds that of the decisions.
   */
  readonly #remembered = new Map<UserInfo, Map<string, UserRules>>();
  #rememberedCount = 0;
  /** By the bindings that grant them: members of a group share rules, and so do a user's successive tokens. */
  readonly #shared = new Map<string, UserRules>();
  /** The version of the cached rules. */
  #version = -1;

  constructor(source: RulesSource) {
    this.#source = source;
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    const loading = this.#source.loading();
    if (loading !== undefined) return loading.then(() => this.#decide(attributes));
    return this.#decide(attributes);
  }

  async rulesFor(user: UserInfo, namespace: string): Promise<AllowedRules> {
    await this.#source.loading();
    const { rules, errors } = this.#rulesOf(user, namespace).grants;
    return {
      rules: rules.flatMap(({ rule }) => listedRules(rule)),
      incomplete: false,
      evaluationError: aggregateText(errors),
    };
  }

  onChange(listener: () => void): () => void {
    return this.#source.rules.onChange(listener);
  }

  #decide(attributes: AuthorizationAttributes): AuthorizationDecision {
    const rules = this.#rulesOf(attributes.user, attributes.resource?.namespace ?? '');
    const found = rules.find(attributes);
    if (found !== undefined) return found;
    const { errors } = rules.grants;
    return { verdict: 'no-opinion', reason: errors.length === 0 ? '' : `RBAC: ${aggregateText(errors)}` };
  }

  #rulesOf(user: UserInfo, namespace: string): UserRules {
    const { rules } = this.#source;
    if (this.#version !== rules.version) this.#forget();
    else if (this.#rememberedCount >= rememberedMax) this.#forgetUsers();
    let byNamespace = this.#remembered.get(user);
    if (byNamespace === undefined) {
      byNamespace = new Map();
      this.#remembered.set(user, byNamespace);
    }
    const known = byNamespace.get(namespace);
    if (known !== undefined) return known;
    const found = this.#sharedRules(rules.boundTo(user, namespace));
    byNamespace.set(namespace, found);
    this.#rememberedCount += 1;
    return found;
  }

  #sharedRules(bound: readonly Bound[]): UserRules {
    let key = '';
    for (const { id } of bound) key += `${id} `;
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const made = new UserRules(this.#source.rules.grantsBy(bound), allowedBy);
    if (this.#shared.size >= rememberedMax) this.#shared.clear();
    this.#shared.set(key, made);
    return made;
  }

  #forget(): void {
    this.#forgetUsers();
    this.#shared.clear();
    this.#version = this.#source.rules.version;
  }

  #forgetUsers(): void {
    this.#remembered.clear();
    this.#rememberedCount = 0;
  }
}

function allowedBy(granted: GrantedRule): AuthorizationDecision {
  return Object.freeze({ verdict: 'allow', reason: `RBAC: allowed by ${sourceText(granted)}` });
}

/** `ClusterRoleBinding "b" of ClusterRole "r" to User "u"` */
function sourceText({ binding, subject }: GrantedRule): string {
  const { kind, name } = binding.roleRef;
  const role = `${kind} ${JSON.stringify(name)}`;
  return `${bindingText(binding)} of ${role} to ${subjectText(subject, binding.namespace)}`;
}

function bindingText({ namespace, name }: RoleBinding): string {
  return namespace === ''
    ? `ClusterRoleBinding ${JSON.stringify(name)}`
    : `RoleBinding ${JSON.stringify(`${name}/${namespace}`)}`;
}

function subjectText({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind !== 'ServiceAccount') return `${kind} ${JSON.stringify(name)}`;
  return `${kind} ${JSON.stringify(`${name}/${namespace === '' ? bindingNamespace : namespace}`)}`;
}

function listedRules({
  verbs,
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
}: PolicyRule): AllowedRule[] {
  const listed: AllowedRule[] = [];
  if (resources.length > 0) listed.push({ verbs, apiGroups, resources, resourceNames });
  if (nonResourceURLs.length > 0) listed.push({ verbs, nonResourceURLs });
  return listed;
}
