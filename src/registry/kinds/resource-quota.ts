import { ageColumn, type BuiltInKind, builtInType } from './kind.ts';
import { plainStrategy } from './plain-strategy.ts';

/** Nobody counts, and nothing is refused for it. */
export const resourceQuotaKind: BuiltInKind = {
  strategy: plainStrategy(),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'ResourceQuota',
    resource: 'resourcequotas',
    namespaced: true,
    shortNames: ['quota'],
    status: true,
    columns: [ageColumn],
  }),
};
