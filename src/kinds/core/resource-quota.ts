import { type KubeObject, own, ownObject } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { quotaChangeErrors, quotaErrors, quotaStatusErrors } from './validate-resource-quota.ts';

function amountsText(quota: KubeObject, isWanted: (name: string) => boolean): string {
  const status = ownObject(quota, 'status') ?? {};
  const [hard, used] = [ownObject(status, 'hard') ?? {}, ownObject(status, 'used') ?? {}];
  const names = Object.keys(hard).filter(isWanted).sort();
  return names.map((name) => `${name}: ${own(used, name) ?? '0'}/${own(hard, name)}`).join(', ');
}

const isLimit = (name: string) => name.startsWith('limits.');

/** Admission reserves what writes use, and a controller counts. */
export const resourceQuotaKind: BuiltInKind = {
  strategy: Object.freeze({
    ...ruledStrategy({
      returnsDeleted: true,
      validate: quotaErrors,
      validateChange: quotaChangeErrors,
      validateStatus: quotaStatusErrors,
    }),
    readByWrites: true,
  }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'ResourceQuota',
    resource: 'resourcequotas',
    namespaced: true,
    shortNames: ['quota'],
    status: true,
    columns: [
      column('Request', '', {
        read: (quota) => amountsText(quota, (name) => !isLimit(name)),
        description: 'Request represents a minimum amount of cpu/memory that a container may consume.',
      }),
      column('Limit', '', {
        read: (quota) => amountsText(quota, isLimit),
        description:
          'Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.',
      }),
      ageColumn,
    ],
  }),
};
