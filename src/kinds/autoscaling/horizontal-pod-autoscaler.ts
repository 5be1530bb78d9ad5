import { type KubeObject, ownObject, ownString } from '../../meta/index.ts';
import { autoscalerErrors } from './validate-autoscaler.ts';
import { completeAutoscaler } from './complete-autoscaler.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { specOf } from '../rules/workload.ts';
import { specCount, statusCount } from '../definition/workload-columns.ts';

function referenceCell(autoscaler: KubeObject): string {
  const target = ownObject(specOf(autoscaler), 'scaleTargetRef') ?? {};
  return `${ownString(target, 'kind') ?? ''}/${ownString(target, 'name') ?? ''}`;
}

/** Nobody scales anything. */
export const horizontalPodAutoscalerKind: BuiltInKind = {
  strategy: ruledStrategy({
    validate: autoscalerErrors,
    statusRules: [
      { path: 'status.currentReplicas', min: 0 },
      { path: 'status.desiredReplicas', min: 0 },
    ],
    firstStatus: () => ({}),
  }),
  type: builtInType({
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
    resource: 'horizontalpodautoscalers',
    namespaced: true,
    shortNames: ['hpa'],
    categories: ['all'],
    status: true,
    complete: completeAutoscaler,
    columns: [
      column('Reference', '', { read: referenceCell, description: 'What is scaled.' }),
      specCount('MinPods', 'minReplicas', 'How many pods there are at least.'),
      specCount('MaxPods', 'maxReplicas', 'How many pods there are at most.'),
      statusCount('Replicas', 'currentReplicas', 'How many pods there are.'),
      ageColumn,
    ],
  }),
};
