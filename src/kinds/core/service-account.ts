import { ownList } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Tokens are made on demand (`serviceaccounts/token`); no controller writes them into Secrets. */
export const serviceAccountKind: BuiltInKind = {
  strategy: ruledStrategy({ returnsDeleted: true }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'ServiceAccount',
    resource: 'serviceaccounts',
    namespaced: true,
    shortNames: ['sa'],
    columns: [
      column('Secrets', '', {
        type: 'integer',
        read: (account) => ownList(account, 'secrets')?.length ?? 0,
        description: 'The number of secrets.',
      }),
      ageColumn,
    ],
  }),
};
