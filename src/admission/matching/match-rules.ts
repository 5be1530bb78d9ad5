import type { AdmissionAttributes } from '../attributes.ts';
import type { MatchedResource } from '../expressions/admission-request.ts';
import { matchesRule, type Rule } from './rules.ts';

/**
 * As what a write matches rules: as itself, or, where its rules mean objects in any version, as another resource that
 * serves the same objects. Undefined where it matches none.
 * Source: apiserver, webhook/generic, ShouldCallHook.
 */
export function matchRules(
  rules: readonly Rule[],
  attributes: AdmissionAttributes,
  { equivalent }: { readonly equivalent: boolean },
): MatchedResource | undefined {
  const { operation, subresource, namespace, name, resource, kind } = attributes;
  const subject = { operation, subresource, namespace, name };
  if (rules.some((rule) => matchesRule(rule, { ...subject, resource }))) return { resource, kind };
  if (!equivalent) return undefined;
  const equivalents = attributes.forms.equivalents();
  for (const rule of rules) {
    for (const other of equivalents) {
      if (matchesRule(rule, { ...subject, resource: other.resource })) return other;
    }
  }
  return undefined;
}
