import { ageColumn, type BuiltInKind, builtInType } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Nobody counts, and nothing is refused for it. */
export const resourceQuotaKind: BuiltInKind = {
  strategy: ruledStrategy({ returnsDeleted: true }),
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
