import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Source: kubernetes, pkg/apis/networking/validation. */
const rules: readonly KindRule[] = [{ path: 'spec.controller', required: true, immutable: true }];

export const ingressClassKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true, rules }),
  type: builtInType({
    group: 'networking.k8s.io',
    version: 'v1',
    kind: 'IngressClass',
    resource: 'ingressclasses',
    namespaced: false,
    columns: [
      column('Controller', '.spec.controller', { description: 'Who serves ingresses of it.' }),
      ageColumn,
    ],
  }),
};
