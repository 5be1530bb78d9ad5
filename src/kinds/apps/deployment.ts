import { keepingMetadata } from '../definition/kept-metadata.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  type KubeObject,
  own,
  ownObject,
} from '../../meta/index.ts';
import { aboveAllErrors, countIn, countOrPercentErrors } from '../rules/count-or-percent.ts';
import { surgeFields, unknownStrategy } from './unknown-strategy.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { specOf } from '../rules/workload.ts';
import { readyOfWantedColumn, statusCount } from '../definition/workload-columns.ts';
import { workloadKind } from './workload-kind.ts';

/** Source: kubernetes, pkg/apis/apps/validation, ValidateDeploymentSpec. */
const rules: readonly KindRule[] = [
  strategyErrors,
  { path: 'spec.minReadySeconds', min: 0 },
  { path: 'spec.revisionHistoryLimit', min: 0 },
  { path: 'spec.progressDeadlineSeconds', min: 0 },
  deadlineErrors,
];

function strategyErrors(deployment: KubeObject): FieldError[] {
  const strategy = ownObject(specOf(deployment), 'strategy') ?? {};
  const update = ownObject(strategy, 'rollingUpdate');
  const path = 'spec.strategy';
  switch (own(strategy, 'type')) {
    case 'Recreate':
      if (update === undefined) return [];
      return [forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      return rollingErrors(`${path}.rollingUpdate`, update ?? {});
    default:
      return [unknownStrategy(path, strategy, { types: ['Recreate', 'RollingUpdate'], fields: surgeFields })];
  }
}

function rollingErrors(path: string, update: JsonObject): FieldError[] {
  const [unavailable, surge] = [own(update, 'maxUnavailable'), own(update, 'maxSurge')];
  const isStuck = countIn(unavailable) === 0 && countIn(surge) === 0;
  return [
    ...countOrPercentErrors(`${path}.maxUnavailable`, unavailable),
    ...countOrPercentErrors(`${path}.maxSurge`, surge),
    ...(isStuck ? [invalid(`${path}.maxUnavailable`, unavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...aboveAllErrors(`${path}.maxUnavailable`, unavailable),
  ];
}

function deadlineErrors(deployment: KubeObject): FieldError[] {
  const spec = specOf(deployment);
  const deadline = own(spec, 'progressDeadlineSeconds');
  const ready = own(spec, 'minReadySeconds') ?? 0;
  const tooSoon = typeof deadline === 'number' && typeof ready === 'number' && deadline <= ready;
  if (!tooSoon) return [];
  return [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')];
}

export const deploymentKind = keepingMetadata(
  workloadKind({
    kind: 'Deployment',
    resource: 'deployments',
    shortNames: ['deploy'],
    selector: { calledInTexts: 'deployment', isRequired: true, unreadable: 'invalid label selector' },
    templateOf: 'ReplicaSet',
    countsAnnotations: true,
    statusCounts: {
      all: [
        'replicas',
        'updatedReplicas',
        'readyReplicas',
        'availableReplicas',
        'unavailableReplicas',
        'terminatingReplicas',
      ],
      ofReplicas: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
    },
    scales: true,
    counts: { first: ['replicas'] },
    rollingUpdate: { field: 'strategy', defaults: { maxUnavailable: '25%', maxSurge: '25%' } },
    rules,
    columns: [
      readyOfWantedColumn,
      statusCount('Up-to-date', 'updatedReplicas', 'How many pods have the template of now.'),
      statusCount('Available', 'availableReplicas', 'How many pods have been ready for long enough.'),
    ],
  }),
  ['labels'],
);
