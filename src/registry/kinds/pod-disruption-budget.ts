import { type FieldError, invalid, type JsonObject, type KubeObject, own } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from './kind.ts';
import { ruledStrategy } from './ruled-strategy.ts';
import { notNegative, specOf } from './workload.ts';
import { statusCount } from './workload-columns.ts';

/** Source: kubernetes, pkg/apis/policy/validation. */
function validate(budget: KubeObject): FieldError[] {
  const spec = specOf(budget);
  const both = own(spec, 'minAvailable') !== undefined && own(spec, 'maxUnavailable') !== undefined;
  return [
    ...(both ? [invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...notNegative(spec, 'minAvailable', 'maxUnavailable'),
  ];
}

const cell = (spec: JsonObject, field: string) => String(own(spec, field) ?? 'N/A');

/** Nobody is kept from deleting pods. */
export const podDisruptionBudgetKind: BuiltInKind = {
  strategy: ruledStrategy({
    generation: true,
    validate,
    firstStatus: () => ({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }),
  }),
  type: builtInType({
    group: 'policy',
    version: 'v1',
    kind: 'PodDisruptionBudget',
    resource: 'poddisruptionbudgets',
    namespaced: true,
    shortNames: ['pdb'],
    status: true,
    columns: [
      column('Min Available', '', {
        read: (budget) => cell(specOf(budget), 'minAvailable'),
        description: 'How many pods must stay.',
      }),
      column('Max Unavailable', '', {
        read: (budget) => cell(specOf(budget), 'maxUnavailable'),
        description: 'How many pods may go.',
      }),
      statusCount('Allowed Disruptions', 'disruptionsAllowed', 'How many pods may go now.'),
      ageColumn,
    ],
  }),
};
