import { compareBytes, goQuote, type UserInfo } from '../../meta/index.ts';
import { aggregateText } from '../authorization/authorizer-chain.ts';
import type { AccessRules } from './access-rules.ts';
import { type PolicyRule, policyRule } from './policy-rule.ts';
import { uncoveredRules } from './rule-coverage.ts';
import { compactRules, quotedList, ruleText } from './rule-text.ts';

/** All rights: required to write an aggregation rule, which can collect any rule. */
export const fullAuthority: readonly PolicyRule[] = Object.freeze([
  policyRule({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }),
  policyRule({ verbs: ['*'], nonResourceURLs: ['*'] }),
]);

/**
 * Why a user may not grant these rules in a namespace: the user lacks some of them. Undefined if the user has all.
 * Source: kubernetes, pkg/registry/rbac/validation/rule.go, ConfirmNoEscalation.
 */
export function escalationText(
  rules: AccessRules,
  asked: readonly PolicyRule[],
  { user, namespace }: { readonly user: UserInfo; readonly namespace: string },
): string | undefined {
  const { rules: granted, errors } = rules.grantsOf(user, namespace);
  const missing = uncoveredRules(
    granted.map(({ rule }) => rule),
    asked,
  );
  if (missing.length === 0) return undefined;
  const lines = [...new Set(compactRules(missing).map(ruleText))].sort(compareBytes);
  const unresolved = errors.length === 0 ? '' : `; resolution errors: [${aggregateText(errors)}]`;
  const whose = `user ${goQuote(user.name)} (groups=${quotedList(user.groups)})`;
  return `${whose} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${unresolved}`;
}
