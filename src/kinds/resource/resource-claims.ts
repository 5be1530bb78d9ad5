import { keepingMetadata } from '../definition/kept-metadata.ts';
import { type KubeObject, metadataOf, own, ownList, ownObject } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { completeDeviceRequests, deviceRequestErrors } from './device-requests.ts';

const rules: readonly KindRule[] = [{ path: 'spec', immutable: true }];

function stateCell(claim: KubeObject): string {
  const isDeleted = own(metadataOf(claim), 'deletionTimestamp') !== undefined;
  const status = statusOf(claim);
  const isAllocated = own(status, 'allocation') !== undefined;
  const isReserved = isAllocated && (ownList(status, 'reservedFor') ?? []).length > 0;
  return [
    ...(isDeleted ? ['deleted'] : []),
    ...(isAllocated ? ['allocated'] : isDeleted ? [] : ['pending']),
    ...(isReserved ? ['reserved'] : []),
  ].join(',');
}

/** ResourceClaim objects have no effect: no devices are allocated. */
export const resourceClaimKind: BuiltInKind = keepingMetadata(
  {
    strategy: ruledStrategy({
      firstStatus: () => ({}),
      validateNew: (claim) => deviceRequestErrors('spec', specOf(claim)),
      rules,
    }),
    type: builtInType({
      group: 'resource.k8s.io',
      version: 'v1',
      kind: 'ResourceClaim',
      resource: 'resourceclaims',
      namespaced: true,
      status: true,
      complete: (claim) => completeDeviceRequests(ownObject(claim, 'spec')),
      columns: [
        column('State', '', { read: stateCell, description: 'Whether devices are allocated and reserved.' }),
        ageColumn,
      ],
    }),
  },
  'all',
);

const claimSpecOf = (template: KubeObject) => ownObject(specOf(template), 'spec') ?? {};

/** No controller creates claims from it. */
export const resourceClaimTemplateKind: BuiltInKind = {
  strategy: ruledStrategy({
    validateNew: (template) => deviceRequestErrors('spec.spec', claimSpecOf(template)),
    rules,
  }),
  type: builtInType({
    group: 'resource.k8s.io',
    version: 'v1',
    kind: 'ResourceClaimTemplate',
    resource: 'resourceclaimtemplates',
    namespaced: true,
    complete: (template) => completeDeviceRequests(ownObject(ownObject(template, 'spec') ?? {}, 'spec')),
    columns: [ageColumn],
  }),
};
