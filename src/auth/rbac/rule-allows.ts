import type { ResourceAttributes } from '../authorization/authorization-attributes.ts';
import type { PolicyRule } from './policy-rule.ts';

const all = '*';

/**
 * Whether a rule applies to a resource, regardless of the object's name.
 * Source: kubernetes, plugin/pkg/auth/authorizer/rbac/rbac.go, RuleAllows.
 */
export function ruleCoversResource(
  { verbs, apiGroups, resources }: PolicyRule,
  verb: string,
  { group, resource, subresource }: ResourceAttributes,
): boolean {
  if (!includes(verbs, verb) || !includes(apiGroups, group)) return false;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  if (includes(resources, combined)) return true;
  // `pods` does not cover `pods/log`, and `pods/*` covers only itself: only `*/log` covers more than one resource.
  return subresource !== '' && resources.includes(`*/${subresource}`);
}

/** A request without a name, such as a create or a list, matches no rule with resource names. */
export function ruleCoversName({ resourceNames }: PolicyRule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

/** Whether a rule allows a method, in lower case, on a non-resource path. */
export function ruleCoversUrl({ verbs, nonResourceURLs }: PolicyRule, verb: string, path: string): boolean {
  return includes(verbs, verb) && nonResourceURLs.some((pattern) => urlCovers(pattern, path));
}

/** `*` covers everything, `/healthz/*` every path below `/healthz/`. Trailing stars count as one. */
export function urlCovers(pattern: string, path: string): boolean {
  if (pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(withoutStars(pattern));
}

function withoutStars(pattern: string): string {
  let end = pattern.length;
  while (end > 0 && pattern[end - 1] === '*') end -= 1;
  return pattern.slice(0, end);
}

function includes(words: readonly string[], word: string): boolean {
  return words.includes(all) || words.includes(word);
}
