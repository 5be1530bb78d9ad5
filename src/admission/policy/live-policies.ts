import { type KubeObject, nameOf, ownObject, ownString, stringList, own } from '../../meta/index.ts';
import type { AdmissionScope } from '../attributes.ts';
import { ByScope, Configurations, type ConfigurationSource } from '../configurations.ts';
import { type MatchResources, matchResourcesOf } from '../matching/match-resources.ts';
import { isConfiguration, mayMatchRule } from '../matching/rules.ts';
import { type ParamRef, paramRefOf } from './params.ts';

/** A binding of a policy, of either kind. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  readonly paramRef: ParamRef | undefined;
  /** Undefined if it binds everything that the policy matches. */
  readonly match: MatchResources | undefined;
  /** `Deny`, `Warn`, `Audit`; none for mutating policies. */
  readonly actions: readonly string[];
}

function bindingOf(binding: KubeObject): Binding {
  const spec = ownObject(binding, 'spec') ?? {};
  const match = ownObject(spec, 'matchResources');
  return Object.freeze({
    name: nameOf(binding),
    policyName: ownString(spec, 'policyName') ?? '',
    paramRef: paramRefOf(spec),
    match: match && matchResourcesOf(match),
    actions: stringList(own(spec, 'validationActions')),
  });
}

/** A policy with its bindings. */
export interface BoundPolicy<P> {
  readonly policy: P;
  readonly bindings: readonly Binding[];
}

/** The fields common to all policies. */
interface Policy {
  readonly name: string;
  readonly match: MatchResources;
}

/** The current policies with bindings: a policy without a binding has no effect. */
export class LivePolicies<P extends Policy> {
  readonly #policies: Configurations<P>;
  readonly #bindings: Configurations<Binding>;
  readonly #scopes = new ByScope<readonly BoundPolicy<P>[]>();
  #from: { readonly policies: readonly P[]; readonly bindings: readonly Binding[] } | undefined;
  #bound: readonly BoundPolicy<P>[] = Object.freeze([]);

  constructor(
    sources: { readonly policies: ConfigurationSource; readonly bindings: ConfigurationSource },
    compile: (policy: KubeObject) => P,
  ) {
    const partOf = (policy: KubeObject) => own(policy, 'spec') ?? null;
    this.#policies = new Configurations(sources.policies, compile, { partOf });
    this.#bindings = new Configurations(sources.bindings, bindingOf);
  }

  /** Ordered by policy name, then by binding name. A policy is compiled when it is first bound. */
  current(): readonly BoundPolicy<P>[] {
    const bindings = this.#bindings.current();
    if (bindings.length === 0) return none;
    const policies = this.#policies.current();
    if (policies === this.#from?.policies && bindings === this.#from.bindings) return this.#bound;
    this.#from = { policies, bindings };
    const byPolicy = new Map<string, Binding[]>();
    for (const binding of bindings)
      byPolicy.set(binding.policyName, [...(byPolicy.get(binding.policyName) ?? []), binding]);
    this.#bound = Object.freeze(
      policies.flatMap((policy) => {
        const own = byPolicy.get(policy.name);
        return own === undefined ? [] : [{ policy, bindings: own }];
      }),
    );
    return this.#bound;
  }

  handle(scope: AdmissionScope): boolean {
    return this.about(scope).length > 0;
  }

  /** The policies that may match this kind of write. */
  about(scope: AdmissionScope): readonly BoundPolicy<P>[] {
    const bound = this.current();
    if (bound.length === 0) return none;
    return this.#scopes.of(bound, scope, () => {
      if (isConfiguration(scope)) return none;
      return bound.filter(({ policy }) => policy.match.rules.some((rule) => mayMatchRule(rule, scope)));
    });
  }
}

const none: readonly [] = Object.freeze([]);
