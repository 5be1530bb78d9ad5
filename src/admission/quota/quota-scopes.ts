import {
  isObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
  stringList,
} from '../../meta/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import type { QuotaCounter, ScopeRequirement } from './quota-counter.ts';

/** The scopes of a quota. */
export function scopesOf(quota: KubeObject): readonly ScopeRequirement[] {
  const spec = ownObject(quota, 'spec') ?? {};
  const selector = ownObject(spec, 'scopeSelector') ?? {};
  return [
    ...stringList(own(spec, 'scopes')).map((scope) => ({ scope, operator: 'Exists', values: [] })),
    ...requirementsOf(selector, 'matchExpressions'),
  ];
}

/** The requirements in a list of ScopedResourceSelectorRequirements. */
export function requirementsOf(owner: JsonObject, field: string): ScopeRequirement[] {
  return (ownList(owner, field) ?? []).filter(isObject).map((one) => ({
    scope: ownString(one, 'scopeName') ?? '',
    operator: ownString(one, 'operator') ?? '',
    values: stringList(own(one, 'values')),
  }));
}

/** Whether an object is in all scopes of a quota. */
export function isInScopes(quota: KubeObject, counter: QuotaCounter, object: KubeObject): boolean {
  return inScopes(scopesOf(quota), counter, object).length === scopesOf(quota).length;
}

/** Those requirements that an object meets. */
export function inScopes(
  requirements: readonly ScopeRequirement[],
  counter: QuotaCounter,
  object: KubeObject,
): readonly ScopeRequirement[] {
  return requirements.filter((requirement) => counter.isInScope?.(requirement, object) ?? false);
}
