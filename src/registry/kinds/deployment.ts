import { type FieldError, forbidden, invalid, type KubeObject, own, ownObject } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from './kind.ts';
import { ruledStrategy } from './ruled-strategy.ts';
import {
  alwaysTemplateErrors,
  completeTemplate,
  count,
  immutableErrors,
  notNegative,
  selectorErrors,
  specOf,
  statusOf,
  workloadScale,
} from './workload.ts';
import { selectorColumn, wideColumns } from './workload-columns.ts';

function complete(deployment: KubeObject): void {
  completeTemplate(deployment);
  const strategy = ownObject(specOf(deployment), 'strategy');
  if (strategy === undefined || own(strategy, 'type') !== 'RollingUpdate') return;
  strategy['rollingUpdate'] = {
    maxUnavailable: '25%',
    maxSurge: '25%',
    ...ownObject(strategy, 'rollingUpdate'),
  };
}

function strategyErrors(deployment: KubeObject): FieldError[] {
  const strategy = ownObject(specOf(deployment), 'strategy') ?? {};
  if (own(strategy, 'type') !== 'Recreate' || own(strategy, 'rollingUpdate') === undefined) return [];
  const detail = "may not be specified when strategy `type` is 'Recreate'";
  return [forbidden('spec.strategy.rollingUpdate', detail)];
}

/** Source: kubernetes, pkg/apis/apps/validation, ValidateDeploymentSpec. */
function validate(deployment: KubeObject): FieldError[] {
  const spec = specOf(deployment);
  const deadline = own(spec, 'progressDeadlineSeconds');
  const ready = own(spec, 'minReadySeconds') ?? 0;
  const tooSoon = typeof deadline === 'number' && typeof ready === 'number' && deadline <= ready;
  return [
    ...notNegative(spec, 'replicas'),
    ...selectorErrors(deployment, 'deployment'),
    ...alwaysTemplateErrors(deployment),
    ...strategyErrors(deployment),
    ...notNegative(spec, 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'),
    ...(tooSoon
      ? [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

export const deploymentKind: BuiltInKind = {
  strategy: ruledStrategy({
    generation: true,
    validate,
    validateChange: (deployment, old) => immutableErrors(deployment, old, 'selector'),
  }),
  type: builtInType({
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    resource: 'deployments',
    namespaced: true,
    shortNames: ['deploy'],
    categories: ['all'],
    status: true,
    scale: workloadScale,
    complete,
    columns: [
      column('Ready', '', {
        read: (deployment) =>
          `${String(count(statusOf(deployment), 'readyReplicas'))}/${String(count(specOf(deployment), 'replicas'))}`,
        description: 'How many of the wanted pods are ready.',
      }),
      column('Up-to-date', '', {
        type: 'integer',
        read: (deployment) => count(statusOf(deployment), 'updatedReplicas'),
        description: 'How many pods have the template of now.',
      }),
      column('Available', '', {
        type: 'integer',
        read: (deployment) => count(statusOf(deployment), 'availableReplicas'),
        description: 'How many pods have been ready for long enough.',
      }),
      ageColumn,
      ...wideColumns,
      selectorColumn,
    ],
  }),
};
