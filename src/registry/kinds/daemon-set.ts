import { type FieldError, type KubeObject, own, ownObject } from '../../meta/index.ts';
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
} from './workload.ts';
import { selectorColumn, wideColumns } from './workload-columns.ts';

function complete(daemonSet: KubeObject): void {
  completeTemplate(daemonSet);
  const strategy = ownObject(specOf(daemonSet), 'updateStrategy');
  if (strategy === undefined || own(strategy, 'type') !== 'RollingUpdate') return;
  strategy['rollingUpdate'] = { maxUnavailable: 1, maxSurge: 0, ...ownObject(strategy, 'rollingUpdate') };
}

/** Source: kubernetes, pkg/apis/apps/validation, ValidateDaemonSetSpec. */
function validate(daemonSet: KubeObject): FieldError[] {
  return [
    ...selectorErrors(daemonSet, 'daemonset'),
    ...alwaysTemplateErrors(daemonSet),
    ...notNegative(specOf(daemonSet), 'minReadySeconds', 'revisionHistoryLimit'),
  ];
}

const counted = (name: string, field: string, description: string) =>
  column(name, '', {
    type: 'integer',
    read: (daemonSet: KubeObject) => count(statusOf(daemonSet), field),
    description,
  });

export const daemonSetKind: BuiltInKind = {
  strategy: ruledStrategy({
    generation: true,
    firstStatus: () => ({
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    }),
    validate,
    validateChange: (daemonSet, old) => immutableErrors(daemonSet, old, 'selector'),
  }),
  type: builtInType({
    group: 'apps',
    version: 'v1',
    kind: 'DaemonSet',
    resource: 'daemonsets',
    namespaced: true,
    shortNames: ['ds'],
    categories: ['all'],
    status: true,
    complete,
    columns: [
      counted('Desired', 'desiredNumberScheduled', 'How many nodes shall run the pod.'),
      counted('Current', 'currentNumberScheduled', 'How many nodes run the pod.'),
      counted('Ready', 'numberReady', 'On how many nodes it is ready.'),
      counted('Up-to-date', 'updatedNumberScheduled', 'How many nodes run the template of now.'),
      counted('Available', 'numberAvailable', 'On how many nodes it has been ready for long enough.'),
      ageColumn,
      ...wideColumns,
      selectorColumn,
    ],
  }),
};
