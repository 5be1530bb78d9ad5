import {
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  own,
  ownObject,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { amountOf } from '../typed/canonical-quantity.ts';

/** Names without a domain that a quota may limit. Source: kubernetes, pkg/apis/core/helper. */
const standardNames: ReadonlySet<string> = new Set(
  (
    'cpu memory ephemeral-storage requests.cpu requests.memory requests.storage requests.ephemeral-storage limits.cpu ' +
    'limits.memory limits.ephemeral-storage pods resourcequotas services replicationcontrollers secrets ' +
    'persistentvolumeclaims configmaps services.nodeports services.loadbalancers'
  ).split(' '),
);

function amountsErrors(owner: JsonObject, field: string, path: string): FieldError[] {
  return Object.entries(ownObject(owner, field) ?? {}).flatMap(([name, value]) => {
    const [at, amount] = [`${path}.${field}[${name}]`, amountOf(value)];
    const isStandard = name.includes('/') || standardNames.has(name) || /^(requests\.)?hugepages-/.test(name);
    return [
      ...(isStandard ? [] : [invalid(at, name, 'must be a standard resource for quota')]),
      ...('value' in amount && amount.value < 0n
        ? [invalid(at, value, 'must be greater than or equal to 0')]
        : []),
    ];
  });
}

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
      validate: (quota) => amountsErrors(ownObject(quota, 'spec') ?? {}, 'hard', 'spec'),
      validateStatus: (quota) => {
        const status = ownObject(quota, 'status') ?? {};
        return [...amountsErrors(status, 'hard', 'status'), ...amountsErrors(status, 'used', 'status')];
      },
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
