import { type FieldError, forbidden, invalid, type KubeObject, own, ownObject } from '../../meta/index.ts';
import { notNegative, specOf } from './workload.ts';
import { readyOfWantedColumn, statusCount } from './workload-columns.ts';
import { workloadKind } from './workload-kind.ts';

/** Source: kubernetes, pkg/apis/apps/validation, ValidateDeploymentSpec. */
function validate(deployment: KubeObject): FieldError[] {
  return [...strategyErrors(deployment), ...deadlineErrors(deployment)];
}

function strategyErrors(deployment: KubeObject): FieldError[] {
  const strategy = ownObject(specOf(deployment), 'strategy') ?? {};
  if (own(strategy, 'type') !== 'Recreate' || own(strategy, 'rollingUpdate') === undefined) return [];
  const detail = "may not be specified when strategy `type` is 'Recreate'";
  return [forbidden('spec.strategy.rollingUpdate', detail)];
}

function deadlineErrors(deployment: KubeObject): FieldError[] {
  const spec = specOf(deployment);
  const deadline = own(spec, 'progressDeadlineSeconds');
  const ready = own(spec, 'minReadySeconds') ?? 0;
  const tooSoon = typeof deadline === 'number' && typeof ready === 'number' && deadline <= ready;
  const detail = 'must be greater than minReadySeconds';
  return [
    ...notNegative(spec, 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'),
    ...(tooSoon ? [invalid('spec.progressDeadlineSeconds', deadline, detail)] : []),
  ];
}

export const deploymentKind = workloadKind({
  kind: 'Deployment',
  resource: 'deployments',
  shortNames: ['deploy'],
  calledInTexts: 'deployment',
  scales: true,
  counts: { first: ['replicas'] },
  rollingUpdate: { field: 'strategy', defaults: { maxUnavailable: '25%', maxSurge: '25%' } },
  validate,
  columns: [
    readyOfWantedColumn,
    statusCount('Up-to-date', 'updatedReplicas', 'How many pods have the template of now.'),
    statusCount('Available', 'availableReplicas', 'How many pods have been ready for long enough.'),
  ],
});
