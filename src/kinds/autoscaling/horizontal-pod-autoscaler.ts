import { clone, type FieldError, type KubeObject, ownObject, ownString } from '../../meta/index.ts';
import { autoscalerConverter } from './autoscaler-converter.ts';
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

const type = builtInType({
  group: 'autoscaling',
  version: 'v2',
  olderVersions: [{ version: 'v1', complete: () => {} }],
  kind: 'HorizontalPodAutoscaler',
  resource: 'horizontalpodautoscalers',
  namespaced: true,
  shortNames: ['hpa'],
  categories: ['all'],
  status: true,
  complete: completeAutoscaler,
  columns: [
    column('Reference', '', { read: referenceCell, description: 'The scaled object.' }),
    specCount('MinPods', 'minReplicas', 'How many pods there are at least.'),
    specCount('MaxPods', 'maxReplicas', 'How many pods there are at most.'),
    statusCount('Replicas', 'currentReplicas', 'How many pods there are.'),
    ageColumn,
  ],
});

const converter = autoscalerConverter(() => type.storageVersion);

/** Upstream checks its internal type, which has the fields of v2. */
function errorsAsV2(autoscaler: KubeObject): readonly FieldError[] {
  const checked = clone(autoscaler);
  converter.toStored(checked);
  return autoscalerErrors(checked);
}

/** No controller scales anything. */
export const horizontalPodAutoscalerKind: BuiltInKind = {
  strategy: ruledStrategy({
    generation: true,
    validate: errorsAsV2,
    statusRules: [
      { path: 'status.currentReplicas', min: 0 },
      { path: 'status.desiredReplicas', min: 0 },
    ],
    firstStatus: () => ({}),
  }),
  storedAs: { prefix: '/registry/horizontalpodautoscalers/', converter },
  type,
};
