import { goQuote } from '../../meta/index.ts';
import { type PolicyRule, policyRule } from './policy-rule.ts';

/**
 * Merges rules that differ only by verb, for messages.
 * Source: kubernetes, pkg/registry/rbac/validation/policy_compact.go.
 */
export function compactRules(pieces: readonly PolicyRule[]): PolicyRule[] {
  const compacted: PolicyRule[] = [];
  const merged = new Map<string, PolicyRule>();
  for (const piece of pieces) {
    if (!isSimple(piece)) {
      compacted.push(piece);
      continue;
    }
    const key = JSON.stringify([piece.apiGroups, piece.resources, piece.resourceNames]);
    const known = merged.get(key);
    merged.set(
      key,
      known === undefined ? piece : policyRule({ ...known, verbs: [...known.verbs, ...piece.verbs] }),
    );
  }
  return [...compacted, ...merged.values()];
}

function isSimple({ apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): boolean {
  return (
    apiGroups.length === 1 &&
    resources.length === 1 &&
    resourceNames.length <= 1 &&
    nonResourceURLs.length === 0
  );
}

/** `{APIGroups:["a"], Resources:["b"], Verbs:["get" "list"]}` */
export function ruleText(rule: PolicyRule): string {
  const parts = [
    listText('APIGroups', rule.apiGroups),
    listText('Resources', rule.resources),
    listText('NonResourceURLs', rule.nonResourceURLs),
    listText('ResourceNames', rule.resourceNames),
    listText('Verbs', rule.verbs),
  ];
  return `{${parts.filter((part) => part !== '').join(', ')}}`;
}

function listText(name: string, words: readonly string[]): string {
  return words.length === 0 ? '' : `${name}:${quotedList(words)}`;
}

/** A list as Go's `%q` prints it: `["a" "b"]`. */
export function quotedList(words: readonly string[]): string {
  return `[${words.map((word) => goQuote(word)).join(' ')}]`;
}
