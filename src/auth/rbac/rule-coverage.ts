import { type PolicyRule, policyRule } from './policy-rule.ts';
import { urlCovers } from './rule-allows.ts';

/**
 * The parts of some rules that others do not cover, split into single verb, group, resource and name. A single rule
 * must cover each piece. Source: component-helpers, auth/rbac/validation/policy_comparator.go.
 */
export function uncoveredRules(owned: readonly PolicyRule[], asked: readonly PolicyRule[]): PolicyRule[] {
  return asked.flatMap(piecesOf).filter((piece) => !owned.some((rule) => covers(rule, piece)));
}

function piecesOf(rule: PolicyRule): PolicyRule[] {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name]);
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name) =>
          policyRule({ verbs: [verb], apiGroups: [group], resources: [resource], resourceNames: name }),
        ),
      ),
    ),
  );
  const ofUrls = nonResourceURLs.flatMap((url) =>
    verbs.map((verb) => policyRule({ verbs: [verb], nonResourceURLs: [url] })),
  );
  return [...ofResources, ...ofUrls];
}

/** Whether a rule covers a piece, whose lists have one element each. */
function covers(rule: PolicyRule, piece: PolicyRule): boolean {
  return (
    coversWords(rule.verbs, piece.verbs) &&
    coversWords(rule.apiGroups, piece.apiGroups) &&
    coversResources(rule.resources, piece.resources) &&
    coversNames(rule.resourceNames, piece.resourceNames) &&
    piece.nonResourceURLs.every((url) => rule.nonResourceURLs.some((pattern) => urlCovers(pattern, url)))
  );
}

function coversWords(owned: readonly string[], asked: readonly string[]): boolean {
  return owned.includes('*') || asked.every((word) => owned.includes(word));
}

function coversResources(owned: readonly string[], asked: readonly string[]): boolean {
  return (
    coversWords(owned, asked) || asked.every((resource) => owned.includes(resource) || anyOf(owned, resource))
  );
}

/** `*` followed by the subresource. */
function anyOf(owned: readonly string[], resource: string): boolean {
  const slash = resource.indexOf('/');
  return slash !== -1 && owned.includes(`*${resource.slice(slash)}`);
}

function coversNames(owned: readonly string[], asked: readonly string[]): boolean {
  if (owned.length === 0) return true;
  return asked.length > 0 && asked.every((name) => owned.includes(name));
}
