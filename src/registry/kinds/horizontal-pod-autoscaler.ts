import {
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
  required,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from './kind.ts';
import { ruledStrategy } from './ruled-strategy.ts';
import { specOf } from './workload.ts';
import { specCount, statusCount } from './workload-columns.ts';

/** What is scaled by where nothing is said. Source: kubernetes, pkg/apis/autoscaling/v2/defaults.go. */
const byProcessors: JsonObject = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

function complete(autoscaler: KubeObject): void {
  const spec = ownObject(autoscaler, 'spec');
  if (spec !== undefined && (ownList(spec, 'metrics') ?? []).length === 0) {
    spec['metrics'] = [structuredClone(byProcessors)];
  }
}

const atLeastOne = 'must be greater than 0';
const numberAt = (spec: JsonObject, field: string) => {
  const value = own(spec, field);
  return typeof value === 'number' ? value : 0;
};

/** Source: kubernetes, pkg/apis/autoscaling/validation. */
function validate(autoscaler: KubeObject): FieldError[] {
  const spec = specOf(autoscaler);
  const [min, max] = [numberAt(spec, 'minReplicas'), numberAt(spec, 'maxReplicas')];
  const target = ownObject(spec, 'scaleTargetRef') ?? {};
  const missing = ['kind', 'name'].filter((field) => (ownString(target, field) ?? '') === '');
  const tooFew =
    max < min ? [invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')] : [];
  return [
    ...(min < 1 ? [invalid('spec.minReplicas', min, 'must be greater than or equal to 1')] : []),
    ...(max < 1 ? [invalid('spec.maxReplicas', max, atLeastOne)] : []),
    ...tooFew,
    ...missing.map((field) => required(`spec.scaleTargetRef.${field}`)),
  ];
}

function referenceCell(autoscaler: KubeObject): string {
  const target = ownObject(specOf(autoscaler), 'scaleTargetRef') ?? {};
  return `${ownString(target, 'kind') ?? ''}/${ownString(target, 'name') ?? ''}`;
}

/** Nobody scales anything. */
export const horizontalPodAutoscalerKind: BuiltInKind = {
  strategy: ruledStrategy({
    validate,
    firstStatus: () => ({ desiredReplicas: 0 }),
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
    complete,
    columns: [
      column('Reference', '', { read: referenceCell, description: 'What is scaled.' }),
      specCount('MinPods', 'minReplicas', 'How many pods there are at least.'),
      specCount('MaxPods', 'maxReplicas', 'How many pods there are at most.'),
      statusCount('Replicas', 'currentReplicas', 'How many pods there are.'),
      ageColumn,
    ],
  }),
};
