import type { AllowedRule } from '../../auth/index.ts';
import { badRequestError, type JsonObject, ownObject, ownString } from '../../meta/index.ts';
import type { ReviewKind } from './review-kind.ts';

/** SelfSubjectRulesReview: `kubectl auth can-i --list`. */
export const selfSubjectRulesReview: ReviewKind = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'selfsubjectrulesreviews',
  kind: 'SelfSubjectRulesReview',
  namespaced: false,
  answer: async (asked, { user, authorizer }) => {
    const namespace = ownString(ownObject(asked, 'spec') ?? {}, 'namespace') ?? '';
    if (namespace === '') throw badRequestError('no namespace on request');
    const listed = await authorizer.rulesFor?.(user, namespace);
    const { rules = [], incomplete = true, evaluationError = '' } = listed ?? {};
    // Upstream responds with a new object that does not repeat the spec.
    return {
      spec: {},
      status: {
        resourceRules: rules.flatMap(resourceRule),
        nonResourceRules: rules.flatMap(nonResourceRule),
        incomplete,
        ...(evaluationError === '' ? {} : { evaluationError }),
      },
    };
  },
};

function resourceRule(rule: AllowedRule): JsonObject[] {
  if ('nonResourceURLs' in rule) return [];
  const { verbs, apiGroups, resources, resourceNames } = rule;
  const names = resourceNames.length === 0 ? {} : { resourceNames: [...resourceNames] };
  return [{ verbs: [...verbs], apiGroups: [...apiGroups], resources: [...resources], ...names }];
}

function nonResourceRule(rule: AllowedRule): JsonObject[] {
  if (!('nonResourceURLs' in rule)) return [];
  return [{ verbs: [...rule.verbs], nonResourceURLs: [...rule.nonResourceURLs] }];
}
