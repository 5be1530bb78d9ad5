import { ownList } from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import { keepingMetadata } from '../definition/kept-metadata.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { fieldRuleErrors, type KindRule } from '../rules/field-rules.ts';
import { bindingColumns, paramKindColumn } from './policy-columns.ts';
import {
  bindingHeadRules,
  policyErrors,
  policyHeadRules,
  type PolicyRule,
  specOf,
} from './policy-spec-rules.ts';
import { registrationStrategy } from './registration-strategy.ts';

/** The differences between the two kinds of policies. */
interface PolicyKind {
  readonly kind: string;
  readonly resource: string;
  /** The list of the spec that the first column counts. */
  readonly counts: { readonly list: string; readonly column: string; readonly description: string };
  /** The rules after those that both kinds share. */
  readonly rules: readonly PolicyRule[];
  /** The rules of `/status`; without them, there is no status. */
  readonly statusRules?: readonly KindRule[];
}

/** A kind of admission policies. */
export function policyKind(
  { kind, resource, counts, rules, statusRules }: PolicyKind,
  environments: RuleEnvironments,
): BuiltInKind {
  const allRules = [...policyHeadRules, ...rules];
  const policy: BuiltInKind = {
    strategy: registrationStrategy({
      counted: 'spec',
      errors: (policy, old) => policyErrors(allRules, { policy, old }, environments),
      ...(statusRules && { statusRules }),
    }),
    type: builtInType({
      group: 'admissionregistration.k8s.io',
      version: 'v1',
      kind,
      resource,
      namespaced: false,
      categories: ['api-extensions'],
      ...(statusRules && { status: true }),
      columns: [
        column(counts.column, '', {
          type: 'integer',
          read: (policy) => (ownList(specOf(policy), counts.list) ?? []).length,
          description: counts.description,
        }),
        paramKindColumn,
        ageColumn,
      ],
    }),
  };
  return statusRules === undefined ? policy : keepingMetadata(policy, 'all');
}

/** The differences between the two kinds of bindings. */
interface BindingKind {
  readonly kind: string;
  readonly resource: string;
  /** The rules after those that both kinds share. */
  readonly rules: readonly KindRule[];
}

/** A kind of bindings of admission policies. */
export function policyBindingKind({ kind, resource, rules }: BindingKind): BuiltInKind {
  const allRules = [...bindingHeadRules, ...rules];
  return {
    strategy: registrationStrategy({
      counted: 'spec',
      errors: (binding) => fieldRuleErrors(allRules, binding),
    }),
    type: builtInType({
      group: 'admissionregistration.k8s.io',
      version: 'v1',
      kind,
      resource,
      namespaced: false,
      categories: ['api-extensions'],
      columns: bindingColumns,
    }),
  };
}
