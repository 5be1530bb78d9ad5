import { type BuiltInKind, builtInType, createdColumn } from '../definition/kind.ts';
import { plainStrategy } from '../strategy/plain-strategy.ts';

/** Nothing is completed or refused for it. */
export const limitRangeKind: BuiltInKind = {
  strategy: plainStrategy(),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'LimitRange',
    resource: 'limitranges',
    namespaced: true,
    shortNames: ['limits'],
    columns: [createdColumn],
  }),
};
