import { statusCount } from './workload-columns.ts';
import { workloadKind } from './workload-kind.ts';

export const daemonSetKind = workloadKind({
  kind: 'DaemonSet',
  resource: 'daemonsets',
  shortNames: ['ds'],
  calledInTexts: 'daemonset',
  scales: false,
  counts: { last: ['minReadySeconds', 'revisionHistoryLimit'] },
  rollingUpdate: { field: 'updateStrategy', defaults: { maxUnavailable: 1, maxSurge: 0 } },
  firstStatus: {
    currentNumberScheduled: 0,
    numberMisscheduled: 0,
    desiredNumberScheduled: 0,
    numberReady: 0,
  },
  columns: [
    statusCount('Desired', 'desiredNumberScheduled', 'How many nodes shall run the pod.'),
    statusCount('Current', 'currentNumberScheduled', 'How many nodes run the pod.'),
    statusCount('Ready', 'numberReady', 'On how many nodes it is ready.'),
    statusCount('Up-to-date', 'updatedNumberScheduled', 'How many nodes run the template of now.'),
    statusCount('Available', 'numberAvailable', 'On how many nodes it has been ready for long enough.'),
  ],
});
