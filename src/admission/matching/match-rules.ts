import type { AdmissionAttributes } from '../attributes.ts';
import type { MatchedResource } from '../expressions/admission-request.ts';
import { matchesRule, type Rule } from './rules.ts';

/**
 * The resource as which a write matches rules: its own, or, if the rules match equivalent resources, another one that
 * serves the same objects. Undefined if it matches none. Source: apiserver, webhook/generic, ShouldCallHook.
 */
export function matchRules(
  rules: readonly Rule[],
  attributes: AdmissionAttributes,
  { equivalent }: { readonly equivalent: boolean },
): MatchedResource | undefined {
  if (rules.length === 0) return undefined;
  for (const rule of rules) {
    if (matchesRule(rule, attributes)) return { resource: attributes.resource, kind: attributes.kind };
  }
  if (!equivalent) return undefined;
  const { operation, subresource, namespace, name } = attributes;
  const subject = { operation, subresource, namespace, name };
  const equivalents = attributes.conversions.equivalents();
  for (const rule of rules) {
    for (const other of equivalents) {
      if (matchesRule(rule, { ...subject, resource: other.resource })) return other;
    }
  }
  return undefined;
}
