import {
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  own,
  ownObject,
  pathSegmentName,
} from '../../meta/index.ts';
import { conditionsErrors } from './validate-conditions.ts';
import { aboveAllErrors, countOrPercentErrors } from '../rules/count-or-percent.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { labelSelectorErrors } from '../rules/validate-label-selector.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { statusCount } from '../definition/workload-columns.ts';

const bothSet = 'minAvailable and maxUnavailable cannot be both set';

/** Source: kubernetes, pkg/apis/policy/validation. */
const rules: readonly KindRule[] = [
  boundsErrors,
  (budget) => labelSelectorErrors('spec.selector', ownObject(specOf(budget), 'selector')),
  { path: 'spec.unhealthyPodEvictionPolicy', oneOf: ['AlwaysAllow', 'IfHealthyBudget'] },
];

const statusRules: readonly KindRule[] = [
  (budget) => conditionsErrors('status', statusOf(budget)),
  { path: 'status.disruptionsAllowed', min: 0 },
  { path: 'status.currentHealthy', min: 0 },
  { path: 'status.desiredHealthy', min: 0 },
  { path: 'status.expectedPods', min: 0 },
];

function boundsErrors(budget: KubeObject): FieldError[] {
  const spec = specOf(budget);
  const bounds = ['minAvailable', 'maxUnavailable'];
  const both = bounds.every((field) => own(spec, field) !== undefined);
  return [
    ...(both ? [{ ...invalid('spec', {}, bothSet), valueText: shown(spec) }] : []),
    ...bounds.flatMap((field) => [
      ...countOrPercentErrors(`spec.${field}`, own(spec, field)),
      ...aboveAllErrors(`spec.${field}`, own(spec, field)),
    ]),
  ];
}

/** As upstream's own struct prints, which has no JSON names. */
function shown(spec: JsonObject): string {
  return JSON.stringify({
    MinAvailable: own(spec, 'minAvailable') ?? null,
    Selector: own(spec, 'selector') ?? null,
    MaxUnavailable: own(spec, 'maxUnavailable') ?? null,
    UnhealthyPodEvictionPolicy: own(spec, 'unhealthyPodEvictionPolicy') ?? null,
  });
}

const cell = (spec: JsonObject, field: string) => String(own(spec, field) ?? 'N/A');

/** The disruption controller keeps its status, if it runs; evictions obey it. */
export const podDisruptionBudgetKind: BuiltInKind = {
  strategy: ruledStrategy({
    nameRule: pathSegmentName,
    generation: true,
    rules,
    statusRules,
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
        description: 'The minimum number of available pods.',
      }),
      column('Max Unavailable', '', {
        read: (budget) => cell(specOf(budget), 'maxUnavailable'),
        description: 'The maximum number of unavailable pods.',
      }),
      statusCount('Allowed Disruptions', 'disruptionsAllowed', 'How many pods may go now.'),
      ageColumn,
    ],
  }),
};
