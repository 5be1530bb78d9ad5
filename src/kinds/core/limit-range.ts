import {
  isObject,
  type JsonObject,
  type KubeObject,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { type BuiltInKind, builtInType, createdColumn } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { limitRangeErrors } from './validate-limit-range.ts';

/** Amounts of containers that follow from others. Source: kubernetes, pkg/apis/core/v1/defaults.go. */
function completeLimits(range: KubeObject): void {
  const limits = ownList(ownObject(range, 'spec') ?? {}, 'limits') ?? [];
  for (const limit of limits.filter(isObject)) {
    if (ownString(limit, 'type') !== 'Container') continue;
    const amounts = (field: string): JsonObject => ownObject(limit, field) ?? {};
    const defaults = { ...amounts('max'), ...amounts('default') };
    const requests = { ...amounts('min'), ...defaults, ...amounts('defaultRequest') };
    if (Object.keys(defaults).length > 0) limit['default'] = defaults;
    if (Object.keys(requests).length > 0) limit['defaultRequest'] = requests;
  }
}

/** What the admission plugin LimitRanger goes by. */
export const limitRangeKind: BuiltInKind = {
  strategy: Object.freeze({ ...ruledStrategy({ validate: limitRangeErrors }), readByWrites: true }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'LimitRange',
    resource: 'limitranges',
    namespaced: true,
    shortNames: ['limits'],
    complete: completeLimits,
    columns: [createdColumn],
  }),
};
